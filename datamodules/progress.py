"""A progress bar on a terminal, silence elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)


@contextmanager
def progress(
    title: str, total: int | None, unit: Literal["images", "bytes"] = "images"
) -> Iterator[Callable[[float], None]]:
    """Yield a function that moves the bar on by so many steps.

    >>> with progress("decoding", total=2) as advance:
    ...     advance(1)
    """
    console = Console(stderr=True)
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
