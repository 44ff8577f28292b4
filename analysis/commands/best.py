"""The best finished run by any number, with its settings, command and folder."""

import argparse
import difflib
import sys
from collections.abc import Sequence
from pathlib import Path

from pandas import DataFrame, Series
from rich.text import Text

from analysis.runs.best import best_runs, is_lower_better
from analysis.runs.named_settings import named_settings
from analysis.runs.records import read_runs
from analysis.runs.run_command import run_command
from analysis.runs.run_row import SETTINGS
from analysis.statistics.seed_table import averaged_over, seed_table
from display.console import new_console
from display.layout import TableColumn, layout, settings_columns
from display.table import number
from display.terminal_safe import terminal_safe
from records.archive import archived_run
from records.counted import counted


def main(argv: Sequence[str]) -> int:
    """Print the best runs; 2 for a number that no run has or whose direction is not known."""
    arguments = _parse(argv)
    try:
        every = read_runs(arguments.folders)
        runs = every.done
        lowest = _direction(arguments, runs)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    name = arguments.by
    found = best_runs(runs, name, lowest)
    first = found.iloc[0]
    word = "lowest" if lowest else "highest"
    lacking = len(runs) - len(found)
    others = f" ({lacking} without it left out)" if lacking else ""
    print(
        f"{name} = {number(first[name])}: {word} of {counted(len(found), 'finished run')}{others}."
    )
    if every.old:
        print(f"Left out: {counted(every.old, 'run')} on data that were edited since.")
    if len(found) > 1:
        print(
            "The best of many runs is better than its setting is on average: report the mean over\n"
            f"{averaged_over(found)}, and choose by a number that is not measured on test images."
        )
    console = new_console()
    shown = found.head(arguments.first)
    columns = [
        TableColumn(name, [Text(number(value)) for value in shown[name]]),
        *settings_columns(list(found.key), named_settings(found)),  # also where the rest differs
    ]
    if len(shown) < len(found):
        print(f"The first {len(shown)} of {len(found)} (--first N lists N):")
    console.print(layout(list(shown.key), columns, console.width))
    _print_means(found, name, lowest)
    print(terminal_safe(f"{_command(first)}\n{_place(Path(first.path))}"))
    return 0


def _place(path: Path) -> str:
    """The line with the run's folder, or the archive that holds it."""
    inside = archived_run(path)
    if inside is None:
        return f"Folder: {path}"
    return f"In the archive {path.parents[len(Path(inside.place).parts) - 1]}"


def _command(run: Series) -> str:
    """The line with the run's own command, or its sweep's where that is all that is known."""
    if not run.command:
        return "Command: not recorded"
    own = run_command(run.command, run[SETTINGS])
    return f"Command: {own}" if own else f"Command of its whole sweep: {run.command}"


def _print_means(found: DataFrame, name: str, lowest: bool) -> None:
    """The setting with the best mean over seeds or folds, where some setting has several."""
    table = seed_table(found, [name])
    if (table.runs < 2).all():
        return
    several = table[table.runs > 1]
    best = several.loc[several[name].idxmin() if lowest else several[name].idxmax()]
    settings = " ".join(f"{column}={best[column]}" for column in table.columns[:-3])
    mean = f"{number(best[name])} (standard deviation {number(best[f'{name}_sd'])})"
    line = f"Best mean over {averaged_over(found)}: {mean}, {counted(int(best.runs), 'run')}"
    print(terminal_safe(f"{line}{': ' * bool(settings)}{settings}"))


def _direction(arguments: argparse.Namespace, runs: DataFrame) -> bool:
    """Whether less is better. ValueError where that is not known, or no finished run has it."""
    name = arguments.by
    if runs.empty:
        raise ValueError("no run has finished; `python -m analysis watch <folder>` follows them.")
    numbers = [one for one in runs.columns if "/" in one and runs[one].notna().any()]
    if name not in numbers:
        near = difflib.get_close_matches(name, numbers, n=3) or numbers[:8]
        raise ValueError(f"--by {name}: no finished run has this number; try {', '.join(near)}.")
    if arguments.lowest or arguments.highest:
        return bool(arguments.lowest)
    known = is_lower_better(name)
    if known is None:
        raise ValueError(f"--by {name}: add --lowest if a lower value is better, else --highest.")
    return known


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m analysis best", description=__doc__)
    parser.add_argument(
        "folders",
        nargs="+",
        type=Path,
        help="run folders, folders that contain run folders, or archives",
    )
    parser.add_argument("--by", default="test/loss", metavar="NAME", help="default: test/loss")
    direction = parser.add_mutually_exclusive_group()
    direction.add_argument("--lowest", action="store_true", help="less is better")
    direction.add_argument("--highest", action="store_true", help="more is better")
    parser.add_argument("--first", type=int, default=5, metavar="N", help="runs listed; default 5")
    return parser.parse_args(argv)
