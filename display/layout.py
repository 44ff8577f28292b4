"""Tables of runs that fit the screen: columns of numbers keep their width, names are folded."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from display.differing import differing
from display.terminal_safe import terminal_safe

RULES = 3  # characters between columns: a bar and two spaces
LEAST = 9  # width of a name: the hash at its end


@dataclass(frozen=True)
class TableColumn:
    """One column beside the names. A spare one is left out if the screen is too narrow."""

    heading: str  # each word on its own line
    cells: Sequence[Text]
    spare: bool = False

    @property
    def width(self) -> int:
        """Characters needed for the column."""
        words = self.heading.split()
        return max(map(len, [*words, *(cell.plain for cell in self.cells)])) + RULES


def layout(
    names: Sequence[str], columns: Sequence[TableColumn], width: int, title: str | None = None
) -> Table:
    """A table of runs, one per row, the names first.

    Columns may have cells of more runs, which are left out, as are empty columns. On a narrow
    screen names are folded at hyphens; then spare columns are left out, the last first.
    """
    columns = [
        replace(column, cells=[Text(terminal_safe(cell.plain), cell.style) for cell in cells])
        for column in columns
        for cells in [column.cells[: len(names)]]
    ]
    names = [terminal_safe(name) for name in names]
    kept = [column for column in columns if any(cell.plain for cell in column.cells)]

    def room() -> int:
        return width - sum(column.width for column in kept) - RULES - 1

    while room() < LEAST and any(column.spare for column in kept):
        kept.remove(next(column for column in reversed(kept) if column.spare))
    headings = ["run", *("\n".join(column.heading.split()) for column in kept)]
    table = Table(*(Column(heading, no_wrap=True) for heading in headings), title=title)
    space = max(room(), LEAST)
    for name, *cells in zip(names, *(column.cells for column in kept), strict=True):
        table.add_row(Text("\n".join(folded(name, space))), *cells)
    return table


def settings_columns(
    names: Sequence[str], settings: Sequence[Mapping[str, Any] | None]
) -> list[TableColumn]:
    """The settings that differ between runs; a heading has a line for each part of the name.

    >>> columns = settings_columns(["a", "b"], [{"loss": {"t": 0}}, {"loss": {"t": 1}}])
    >>> [column.heading for column in columns]
    ['loss .t']
    """
    return [
        TableColumn(label.replace(".", " ."), [Text(value) for value in values], spare=True)
        for label, values in differing(settings, names).items()
    ]


def folded(name: str, room: int) -> list[str]:
    """A name in lines of at most `room` characters, broken after hyphens if possible.

    >>> folded("lenet-digits-n500-s0-0123abcd", 13)
    ['lenet-digits-', 'n500-s0-', '0123abcd']
    """
    lines = [""]
    for part in re.findall(r"[^-]+-*|-+", name):
        pieces = [part[i : i + room] for i in range(0, len(part), room)]
        for piece in pieces:
            if lines[-1] and len(lines[-1] + piece) > room:
                lines.append("")
            lines[-1] += piece
    return lines
