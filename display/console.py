"""The console for everything that is printed during runs.

Messages, tables and progress bars must share one: rich keeps a live bar below the output of its own
console only.
"""

import io
import logging
import os
import sys

from rich.console import Console

from display.terminal_safe import terminal_safe

PIPE_WIDTH = 400  # of tables in a file or pipe


def new_console() -> Console:
    """A console on standard output, as wide as the terminal; wide if there is none."""
    is_screen = sys.stdout.isatty() or "COLUMNS" in os.environ
    width = None if is_screen else PIPE_WIDTH
    return Console(soft_wrap=True, highlight=False, width=width)


console = new_console()
ROOMS = ("__main__", "launch", "launchers", "records", "conf", "datamodules", "callbacks")


class ConsoleHandler(logging.Handler):
    """Prints the text of a log record unchanged: brackets in it are not markup."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one message."""
        try:
            console.print(terminal_safe(record.getMessage()), markup=False)
        except Exception:
            self.handleError(record)


def show_messages() -> None:
    """Print the messages of our loggers, from INFO on; other libraries keep their own settings.

    Every process that a user starts calls it; repeated calls change nothing.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # file names need not be UTF-8
        sys.stdout.reconfigure(errors="backslashreplace")
    for room in ROOMS:
        logger = logging.getLogger(room)
        logger.setLevel(logging.INFO)
        if not any(isinstance(handler, ConsoleHandler) for handler in logger.handlers):
            logger.addHandler(ConsoleHandler())


def bar_console() -> Console:
    """For progress bars: the common console, or standard error if output goes to a file."""
    return console if console.is_terminal else Console(stderr=True)
