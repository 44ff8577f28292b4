"""Tables of runs that fit their screen: numbers keep their room, names give theirs up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from records.differing import differing

RULES = 3  # a bar and two spaces beside every column
LEAST = 9  # of a name: the eight digits at its end, which no other run has


@dataclass(frozen=True)
class Shown:
    """One column beside the names. A spare one is left out where the screen is too narrow."""

    heading: str  # a word a line
    cells: Sequence[Text]
    spare: bool = False

    @property
    def width(self) -> int:
        """What it takes to show all of it."""
        words = self.heading.split()
        return max(map(len, [*words, *(cell.plain for cell in self.cells)])) + RULES


def layout(
    names: Sequence[str], columns: Sequence[Shown], width: int, title: str | None = None
) -> Table:
    """A table of runs, one a row.

    Args:
        names: of the runs, first column.
        columns: of these runs, and maybe more after them; those that say nothing are left out.
        width: of the screen. Too narrow, names lose their fronts; then spare columns go, the last
            first.
        title: above the table.
    """
    columns = [replace(column, cells=column.cells[: len(names)]) for column in columns]
    kept = [column for column in columns if any(cell.plain for cell in column.cells)]

    def room() -> int:
        return width - sum(column.width for column in kept) - RULES - 1

    while room() < LEAST and any(column.spare for column in kept):
        kept.remove(next(column for column in reversed(kept) if column.spare))
    headings = ["run", *("\n".join(column.heading.split()) for column in kept)]
    table = Table(*(Column(heading, no_wrap=True) for heading in headings), title=title)
    for name, *cells in zip(names, *(column.cells for column in kept), strict=True):
        table.add_row(Text(ending(name, max(room(), LEAST))), *cells)
    return table


def settings_columns(
    names: Sequence[str], settings: Sequence[Mapping[str, Any] | None]
) -> list[Shown]:
    """The settings that differ between runs; a name takes a line for each of its parts.

    Args:
        names: of the runs, which tell the main settings of those that have no record yet.
        settings: of the runs; None where there is no record.

    >>> columns = settings_columns(["a", "b"], [{"loss": {"t": 0}}, {"loss": {"t": 1}}])
    >>> [column.heading for column in columns]
    ['loss .t']
    """
    return [
        Shown(label.replace(".", " ."), [Text(value) for value in values], spare=True)
        for label, values in differing(settings, names).items()
    ]


def ending(name: str, room: int) -> str:
    """A name, or as much of its end as there is room for.

    >>> ending("lenet-digits-n500-s0-0123abcd", 12)
    '…s0-0123abcd'
    """
    return name if len(name) <= room else "…" + name[1 - room :]
