import logging
from io import StringIO

from rich.console import Console

from datamodules.progress import progress
from display import console as display_console


def test_messages_do_not_run_into_the_bar(monkeypatch):
    terminal = Console(file=StringIO(), force_terminal=True, width=60, highlight=False)
    monkeypatch.setattr(display_console, "console", terminal)
    display_console.show_messages()
    with progress("outer", 2), progress("decoding", 2) as advance:
        advance(1)
        logging.getLogger("datamodules.cache").info("one file is damaged")
    before, after = terminal.file.getvalue().split("one file is damaged\n")
    assert before.endswith("\x1b[2K")  # the line of the bar was cleared
    assert "decoding" in after
