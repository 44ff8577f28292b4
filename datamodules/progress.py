"""A progress bar on a terminal, nothing elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from display.console import bar_console


@contextmanager
def progress(
    title: str, total: int | None, unit: Literal["images", "bytes"] = "images"
) -> Iterator[Callable[[float], None]]:
    """Yield a function that advances the bar by a number of steps.

    >>> with progress("decoding", total=2) as advance:
    ...     advance(1)
    """
    console = bar_console()  # messages are printed above the bar
    done = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        done,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(title, total=total)
        yield lambda step: bar.advance(task, step)
