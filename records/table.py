"""What people see at the end: a table of what was measured, or of all runs of a sweep."""

import math
import re
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Column, Table

from records.run_folder import Record, RunFolder

LIMIT = re.compile(r"_(low|high)(?=[/@]|$)")
COUNT = re.compile(r"_(dropped|zeros|zero_pairs|zero_gradients)(?=[/@]|$)")
STANDIN = " (stand-in)"
TRAINED = {
    "test/accuracy": "accuracy",
    "test/loss": "loss",
    "time/train": "s",
}
MEASURED = {"data/d_mle": "d MLE", "data/d_twonn": "d TwoNN", "data/k_f_rms": "K_F RMS"}
COLOURS = {"done": "green", "skipped": "cyan", "resumed": "green", "failed": "red"}


def show_run(folder: RunFolder, console: Console) -> None:
    """The numbers of one finished run, grouped by stage, and where they are.

    Limits of intervals stand beside their value, and counts of nothing are left out; all of them
    are in record.json.
    """
    record = folder.read() or {}
    scalars: dict[str, Any] = record.get("scalars", {})
    title = folder.path.name + STANDIN * bool(record.get("standin"))
    table = Table("quantity", "value", title=title, title_justify="left")
    stage = None
    for name, value in scalars.items():
        if LIMIT.search(name) or (value == 0 and COUNT.search(name)):
            continue
        if name.endswith("_finite") and value == scalars.get(name.removesuffix("_finite")):
            continue
        if stage not in (None, name.split("/")[0]):
            table.add_section()
        stage = name.split("/")[0]
        table.add_row(name, number(value) + interval(name, scalars))
    console.print(table)
    for note in record.get("notes", []):
        console.print(f"Note: {note}", highlight=False, soft_wrap=True, markup=False)
    console.print(
        f"Record, metrics and figures: {folder.path}", highlight=False, soft_wrap=True, markup=False
    )


def interval(name: str, scalars: dict[str, Any]) -> str:
    """The confidence interval of a number, where its limits were logged.

    >>> interval("train/d/conv", {"train/d_low/conv": 1.0, "train/d_high/conv": 2.5})
    '  (1 to 2.5)'
    """
    head, mark, tail = re.match(r"([^/]+/[^/@]+)([/@]?)(.*)", name).groups()  # type: ignore[union-attr]
    low, high = (scalars.get(f"{head}_{end}{mark}{tail}") for end in ("low", "high"))
    if low is None or high is None or low == high:
        return ""
    return f"  ({number(low)} to {number(high)})"


def show_sweep(
    paths: list[Path], words: list[str], records: list[Record], console: Console
) -> None:
    """One line per run: key, what happened, its main numbers. Why a run failed is told below.

    Numbers that no run has are no columns: a sweep without a network shows the data's alone.
    """
    scalars: list[dict[str, Any]] = [record.get("scalars", {}) for record in records]
    trained = any("test/loss" in own for own in scalars)
    wanted = TRAINED if trained else MEASURED
    names = [name for name in wanted if any(name in own for own in scalars)]
    numbers = (Column(wanted[name], no_wrap=True) for name in names)
    columns = [Column("status", no_wrap=True), *numbers]
    all_standins = all(record.get("standin") for record in records)
    title = "stand-in data throughout" if all_standins else None
    table = Table(Column("run", no_wrap=True, overflow="fold"), *columns, title=title)
    for path, status, record, own in zip(paths, words, records, scalars, strict=True):
        table.add_row(
            path.name + STANDIN * (bool(record.get("standin")) and not all_standins),
            f"[{COLOURS.get(status, 'yellow')}]{status}[/]",
            *(number(own.get(name)) for name in names),
        )
    console.print(table)
    for folder in sorted({path.parent for path in paths}):
        console.print(f"Run folders: {folder}", highlight=False, soft_wrap=True, markup=False)


def number(value: float | None, digits: int = 4) -> str:
    """A number for people.

    >>> number(0.123456), number(None), number(1234567.0)
    ('0.1235', '', '1.235e+06')
    """
    if value is None:
        return ""
    return f"{value:.{digits}g}" if math.isfinite(value) else str(value)
