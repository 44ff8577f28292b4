"""The final table: of the numbers of a run, or of all runs of a sweep."""

import math
import re
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from display.layout import TableColumn, layout, settings_columns
from display.terminal_safe import terminal_safe
from records.cautions import cautions, is_within_chance
from records.quantities import in_order
from records.reader import Record
from records.run_folder import RunFolder

LIMIT = re.compile(r"_(low|high)(?=[/@]|$)")
COUNT = re.compile(r"_(dropped|zeros|zero_pairs|zero_gradients)(?=[/@]|$)")
STANDIN = " (stand-in)"
TRAINED = {"test/accuracy": "test accuracy", "test/loss": "test loss"}
MEASURED = {"data/d_mle": "d MLE", "data/d_twonn": "d TwoNN", "data/k_f_rms": "K_F RMS"}
COLOURS = {
    "not started": "dim",
    "running": "cyan",
    "interrupted": "yellow",
    "done": "green",
    "done with warnings": "yellow",
    "diverged": "magenta",
    "failed": "red",
}


def show_run(folder: RunFolder, console: Console) -> None:
    """Print the numbers of a finished run, grouped by stage, its notes and its folder.

    Intervals are shown beside their value, and counts of 0 are left out; record.json has them all.
    """
    record = folder.own()
    scalars: dict[str, Any] = record.get("scalars", {})
    title = terminal_safe(folder.path.name) + STANDIN * bool(record.get("standin"))
    if record["status"] != "done":
        title += f": {record['status']}"
    table = Table("quantity", "value", title=title, title_justify="left")
    stage = None
    for name in in_order(scalars):  # records of earlier versions have another order
        value = scalars[name]
        shown = shown_number(name, scalars)  # empty for example for the second mode of a spectrum
        is_twice = name.endswith("_finite") and value == scalars.get(name.removesuffix("_finite"))
        is_zero_count = value == 0 and COUNT.search(name)
        if not shown or is_twice or is_zero_count or LIMIT.search(name):
            continue
        if stage not in (None, name.split("/")[0]):
            table.add_section()
        stage = name.split("/")[0]
        table.add_row(terminal_safe(name), shown + interval(name, scalars))
    console.print(table)
    show_notes(record, console)
    print_line(f"Record, metrics and figures: {folder.path}", console)


def show_notes(record: Record, console: Console) -> None:
    """Warnings about the numbers of a run, and the notes of its record, one per line."""
    for note in [*cautions(record.get("scalars", {})), *record.get("notes", [])]:
        print_line(f"Note: {note}", console)


def print_line(text: str, console: Console) -> None:
    """Print a line unchanged and unwrapped: brackets in it are not markup."""
    console.print(terminal_safe(text), highlight=False, soft_wrap=True, markup=False)


def shown_number(name: str, scalars: dict[str, Any]) -> str:
    """A number as text, with a remark if K_F is infinite or a test accuracy may be chance.

    K_F is infinite if equal images have different labels; in JSON it is null.

    >>> shown_number("data/k_f", {"data/k_f": None, "data/k_f_zero_pairs": 2.0})
    'infinite'
    >>> shown_number("test/accuracy", {"test/accuracy": 0.5, "test/chance_accuracy": 0.6})
    '0.5 (chance)'
    """
    value = scalars.get(name)
    if (
        name in ("data/k_f", "data/k_f_rms")
        and value is None
        and scalars.get("data/k_f_zero_pairs")
    ):
        return "infinite"
    if name == "test/accuracy" and is_within_chance(value, scalars.get("test/chance_accuracy")):
        return f"{number(value)} (chance)"
    return number(value)


def interval(name: str, scalars: dict[str, Any]) -> str:
    """The confidence interval of a number, if it was logged.

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
    """Print one line per run: key, outcome, the settings that differ, its main numbers.

    Numbers that no run has are left out: a sweep without a network shows those of the data only.
    Seconds are of training and measuring.
    """
    scalars: list[dict[str, Any]] = [record.get("scalars", {}) for record in records]
    names = [path.name for path in paths]
    trained = any("test/loss" in own for own in scalars)
    all_standins = all(record.get("standin") for record in records)
    standins = [bool(record.get("standin")) and not all_standins for record in records]
    columns = [
        TableColumn("status", [Text(word, COLOURS[word.partition(",")[0]]) for word in words]),
        TableColumn("images", [Text("stand-in" * standin) for standin in standins]),
        *settings_columns(names, [record.get("settings") for record in records]),
        *(
            TableColumn(heading, [Text(shown_number(name, own)) for own in scalars])
            for name, heading in (TRAINED if trained else MEASURED).items()
        ),
        TableColumn("seconds", [Text(number(seconds(own))) for own in scalars]),
    ]
    title = "stand-in data throughout" if all_standins else None
    console.print(layout(names, columns, console.width, title))
    for folder in sorted({path.parent for path in paths}):
        print_line(f"Run folders: {folder}", console)


def seconds(scalars: dict[str, Any]) -> float | None:
    """Seconds of training and measuring; None if nothing was timed.

    >>> seconds({"time/train": 2.0, "time/fgsm_penalty": 0.5, "test/loss": 1.0})
    2.5
    """
    times = [value for name, value in scalars.items() if name.startswith("time/") and value]
    return sum(times) if times else None


def number(value: float | None, digits: int = 4) -> str:
    """A number, rounded for display.

    >>> number(0.123456), number(None), number(1234567.0)
    ('0.1235', '', '1.235e+06')
    """
    if value is None:
        return ""
    return f"{value:.{digits}g}" if math.isfinite(value) else str(value)
