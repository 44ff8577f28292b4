"""What people see at the end: a table of what was measured, or of all runs of a sweep."""

import math
import re
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from records.cautions import cautions
from records.layout import Shown, layout, settings_columns
from records.run_folder import Record, RunFolder

LIMIT = re.compile(r"_(low|high)(?=[/@]|$)")
COUNT = re.compile(r"_(dropped|zeros|zero_pairs|zero_gradients)(?=[/@]|$)")
STANDIN = " (stand-in)"
TRAINED = {"test/accuracy": "test accuracy", "test/loss": "test loss"}
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
    for note in [*cautions(scalars), *record.get("notes", [])]:
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
    """One line per run: key, what happened, the settings that differ, its main numbers.

    Why a run failed is told below. Numbers that no run has are no columns: a sweep without a
    network shows the data's alone. Seconds are of training and measuring.
    """
    scalars: list[dict[str, Any]] = [record.get("scalars", {}) for record in records]
    names = [path.name for path in paths]
    trained = any("test/loss" in own for own in scalars)
    all_standins = all(record.get("standin") for record in records)
    standins = [bool(record.get("standin")) and not all_standins for record in records]
    columns = [
        Shown("status", [Text(word, COLOURS.get(word, "yellow")) for word in words]),
        Shown("images", [Text("stand-in" * standin) for standin in standins]),
        *settings_columns(names, [record.get("settings") for record in records]),
        *(
            Shown(heading, [Text(number(own.get(name))) for own in scalars])
            for name, heading in (TRAINED if trained else MEASURED).items()
        ),
        Shown("seconds", [Text(number(seconds(own))) for own in scalars]),
    ]
    title = "stand-in data throughout" if all_standins else None
    console.print(layout(names, columns, console.width, title))
    for folder in sorted({path.parent for path in paths}):
        console.print(f"Run folders: {folder}", highlight=False, soft_wrap=True, markup=False)


def seconds(scalars: dict[str, Any]) -> float | None:
    """Of training and measuring together; None where nothing was timed.

    >>> seconds({"time/train": 2.0, "time/fgsm_penalty": 0.5, "test/loss": 1.0})
    2.5
    """
    times = [value for name, value in scalars.items() if name.startswith("time/") and value]
    return sum(times) if times else None


def number(value: float | None, digits: int = 4) -> str:
    """A number for people.

    >>> number(0.123456), number(None), number(1234567.0)
    ('0.1235', '', '1.235e+06')
    """
    if value is None:
        return ""
    return f"{value:.{digits}g}" if math.isfinite(value) else str(value)
