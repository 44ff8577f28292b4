"""`python -m analysis watch <run folders>`: follow a sweep in the terminal, without W&B."""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from analysis.runs.records import records_below
from display.console import new_console
from display.layout import TableColumn, layout, settings_columns
from display.remaining_time import seconds_left
from display.sparkline import sparkline
from display.table import COLOURS, number
from display.terminal_safe import terminal_safe
from records.counted import counted
from records.duration import duration
from records.run_state import SHOWN, RunState, run_state
from records.status import FINISHED, exit_code
from records.sweep import planned_below

ORDER = (
    *("running", "interrupted", "failed", "diverged", "done with warnings", "done"),
    "not started",
)
FRAME = 11  # lines that are no rows: summary, headings, rules


def main(argv: Sequence[str] | None = None) -> int:
    """Show until all is over or Ctrl-C.

    Returns:
        1 if a run failed or was interrupted, 3 if one has warnings, 2 for a wrong command.
    """
    parser = argparse.ArgumentParser(prog="python -m analysis watch", description=__doc__)
    parser.add_argument(
        "folders", nargs="+", type=Path, help="run folders, or folders that contain them"
    )
    parser.add_argument("--once", action="store_true", help="print the table and end")
    parser.add_argument("--every", type=float, default=2.0, help="seconds between updates")
    arguments = parser.parse_args(argv)
    for folder in arguments.folders:
        if not folder.is_dir():
            hint = (
                "is an archive, in which nothing runs; `python -m analysis` reports on it"
                if folder.is_file()
                else "is not a folder; give the folder of a run or of many"
            )
            print(f"{folder} {hint}", file=sys.stderr)
            return 2
    console = new_console()
    states = look(arguments.folders)
    if arguments.once:
        console.print(picture(states, console.width))
    else:
        states = follow(arguments.folders, states, console, arguments.every)
    ended = [one.status for one in states if one.status not in ("running", "not started")]
    return exit_code(ended)


def look(folders: Iterable[Path]) -> list[RunState]:
    """Every run below some folders, started or planned: running ones first, then the latest."""
    paths: set[Path] = set()
    for folder in folders:
        paths |= {file.parent for file, _ in records_below([folder]) if file.name == "record.json"}
        paths |= planned_below(folder)
    states = [run_state(path) for path in sorted(paths)]
    return sorted(states, key=lambda state: (ORDER.index(state.status), -state.changed))


def follow(
    folders: Sequence[Path], states: list[RunState], console: Console, every: float
) -> list[RunState]:
    """Look again and again, until no run is left to do.

    Where the output is no terminal, it has the table before and after, and between them a line
    whenever a run has another status.
    """
    terminal = console.is_terminal
    shown = Live(console=console, auto_refresh=False) if terminal else nullcontext()
    before: Counter[str] = Counter()
    with shown as live, suppress(KeyboardInterrupt):
        while True:
            if live is not None:
                live.update(picture(states, console.width, console.height - FRAME), refresh=True)
            elif not before or is_over(states):
                console.print(picture(states, console.width))
            elif counts_of(states) != before:
                print(summary(states), flush=True)
            if is_over(states):
                break
            before = counts_of(states)
            time.sleep(every)
            states = look(folders)
    return states


def is_over(states: Sequence[RunState]) -> bool:
    """Whether there are runs and none is left to do."""
    over = [one.status in FINISHED or one.status == "failed" for one in states]
    return bool(over) and all(over)


def counts_of(states: Sequence[RunState]) -> Counter[str]:
    """How many runs have which status."""
    return Counter(state.status for state in states)


def picture(states: Sequence[RunState], width: int, rows: int | None = None) -> Group:
    """The summary, and a table of at most `rows` runs: in progress first, then failed.

    Losses and accuracies of training are running means over the last epoch.
    """
    shown = list(states if rows is None else states[: max(rows, 1)])
    epochs = [
        f"{state.epoch}/{state.epochs}" if state.epochs and state.status not in FINISHED else ""
        for state in shown
    ]
    all_standins = _all_standins(states)
    left = ["" if state.left is None else duration(state.left) for state in shown]
    columns = [
        TableColumn("status", [Text(one.status, COLOURS[one.status]) for one in shown]),
        TableColumn("epoch", [Text(text) for text in epochs]),
        TableColumn("left", [Text(text) for text in left]),
        TableColumn(
            "images", [Text("stand-in" * one.standin) for one in shown if not all_standins]
        ),
        *settings_columns([one.path.name for one in states], [one.settings for one in states]),
        *(
            TableColumn(
                heading=name,
                cells=[Text(number(one.values.get(name), digits=3)) for one in shown],
                spare=name == "train accuracy",
            )
            for name in SHOWN
        ),
    ]
    table = layout([state.path.name for state in shown], columns, width)
    hidden = Counter(state.status for state in states[len(shown) :])
    more = ", ".join(f"{count} {status}" for status, count in hidden.items())
    why = [Text(terminal_safe(f"{s.path.name}: {s.error}")) for s in shown if s.error]
    return Group(summary(states), table, f"and {more}" if more else "", *course_lines(shown), *why)


def course_lines(states: Sequence[RunState]) -> list[Text]:
    """Of every running run, the latest value of each main quantity with its curve so far."""
    lines = []
    for state in states:
        if state.status == "running" and state.curves:
            parts = [
                f"{name} {number(values[-1], digits=3)} {sparkline(values)}"
                for name, values in state.curves.items()
            ]
            text = "   ".join([state.path.name, *parts])
            lines.append(Text(terminal_safe(text)))
    return lines


def summary(states: Sequence[RunState]) -> str:
    """How many runs are in which state, and how long the rest will take.

    >>> summary([RunState(Path("a"), "running", epoch=2, epochs=6, seconds=10.0)])
    '1 run: 1 running; about 20 s left'
    """
    counts = counts_of(states)
    text = ", ".join(f"{counts[status]} {status}" for status in ORDER if counts[status])
    left = seconds_left(states)
    ending = "" if left is None else f"; about {duration(left)} left"
    ending += "; stand-in data throughout" * _all_standins(states)
    return f"{counted(len(states), 'run')}: {text or 'none'}{ending}"


def _all_standins(states: Sequence[RunState]) -> bool:
    standins = [state.standin for state in states if state.settings is not None]
    return bool(standins) and all(standins)
