"""Messages, and bars that they do not run into."""

import logging
from io import StringIO

import pytest
from rich.console import Console
from rich.progress import Progress

from display import console as module
from display.console import bar_console, show_messages


@pytest.fixture
def terminal(monkeypatch):
    console = Console(file=StringIO(), force_terminal=True, width=60, highlight=False)
    monkeypatch.setattr(module, "console", console)
    show_messages()
    return console


def test_a_message_takes_the_bar_s_line_and_the_bar_moves_on(terminal):
    """Printed through another console it would land behind the bar, on the same line."""
    with Progress(console=bar_console(), auto_refresh=False) as bar:
        bar.add_task("training", total=3)
        bar.refresh()
        logging.getLogger("launchers.run").info("goes on [from here]")
    text = terminal.file.getvalue()
    before, after = text.split("goes on [from here]\n")
    assert before.endswith("\x1b[2K")  # the bar's line was cleared
    assert "training" in after


def test_output_in_a_file_leaves_the_bar_to_standard_error(monkeypatch):
    monkeypatch.setattr(module, "console", Console(file=StringIO()))
    assert bar_console().stderr


def test_other_libraries_keep_their_own_levels(terminal):
    show_messages()
    logging.getLogger("launchers.run").info("once")
    logging.getLogger("matplotlib").info("never")
    assert terminal.file.getvalue() == "once\n"
