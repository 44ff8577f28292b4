"""Tables for display: values with their intervals in one column."""

import math
import re
from typing import Any

from pandas import DataFrame

from display.table import number
from records.counted import counted


def compact(table: DataFrame) -> DataFrame:
    """Text only: `r`, `r_low`, `r_high` become one column `r` that reads `0.5 (0.3 to 0.7)`.

    With `r_sd` it reads `0.5 ± 0.1`, and where `r_runs` has a number `0.5 ± 0.1 (of 2 runs)`.

    >>> compact(DataFrame({"r": [0.5, 0.25], "r_low": [0.3, float("nan")], "r_high": [0.7, 1]}))
                       r
    0  0.5 (0.3 to 0.7)
    1              0.25
    """
    columns: dict[str, list[str]] = {}
    for name in table.columns:
        base = re.sub("_(low|high|sd|runs)$", "", name)
        if base != name and base in table:
            continue
        columns[name] = [text(value) for value in table[name]]
        if {f"{name}_low", f"{name}_high"} <= set(table.columns):
            ends = zip(table[f"{name}_low"], table[f"{name}_high"], strict=True)
            columns[name] = [
                value + (f" ({text(low)} to {text(high)})" if text(low) and text(high) else "")
                for value, (low, high) in zip(columns[name], ends, strict=True)
            ]
        if f"{name}_sd" in table:
            columns[name] = [
                value + (f" ± {text(sd)}" if text(sd) else "")
                for value, sd in zip(columns[name], table[f"{name}_sd"], strict=True)
            ]
        if f"{name}_runs" in table:
            columns[name] = [
                value + (f" (of {counted(int(of), 'run')})" if of > 0 else "")
                for value, of in zip(columns[name], table[f"{name}_runs"], strict=True)
            ]
    return DataFrame(columns)


def text(value: Any) -> str:
    """A cell as text; empty for a missing value."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return str(value) if isinstance(value, int) else number(float(value), digits=3)


def to_markdown(table: DataFrame) -> str:
    r"""A Markdown table; bars and line breaks in cells are escaped.

    >>> print(to_markdown(DataFrame({"a|b": ["x\ny"], "n": [1]})), end="")
    | a\|b | n |
    |---|---|
    | x y | 1 |
    """
    shown = compact(table)
    rows = [list(shown.columns), ["---"] * len(shown.columns), *shown.to_numpy().tolist()]
    lines = []
    for row in rows:
        cells = [" ".join(str(cell).split()).replace("|", "\\|") for cell in row]
        lines.append("| " + " | ".join(cells) + " |" if row != rows[1] else "|---" * len(row) + "|")
    return "\n".join(lines) + "\n"
