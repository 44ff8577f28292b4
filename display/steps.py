"""Show the current step of a command, if there is a terminal."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from display.console import bar_console
from display.terminal_safe import terminal_safe

T = TypeVar("T")


def working(text: str) -> AbstractContextManager[object]:
    """Show a spinner for work without steps.

    >>> with working("reading records"):
    ...     pass
    """
    console = bar_console()
    return console.status(f"{text} ...") if console.is_terminal else nullcontext()


def shown_steps(items: Sequence[T], name: Callable[[T], str]) -> Iterator[T]:
    """Iterate over the items, with a bar that names the current one.

    >>> list(shown_steps([1, 2], str))
    [1, 2]
    """
    console = bar_console()
    name_column = TextColumn("{task.description}", markup=False)
    columns = (SpinnerColumn(), name_column, BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=len(items))
        for item in items:
            bar.update(task, description=terminal_safe(name(item)))
            yield item
            bar.advance(task)
