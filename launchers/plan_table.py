"""`python launch.py --plan ...`: list the runs of a command, their time and disk space."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from conf.run_plan import RunPlan
from display.console import console
from display.layout import TableColumn, layout, settings_columns
from display.remaining_time import expected, images_of
from display.table import COLOURS, print_line
from launchers.device_hours import describe_cost, speed_here
from launchers.training_cost import size_text, training_cost
from records.counted import counted
from records.duration import duration
from records.run_state import RunState, run_state
from records.status import FINISHED

SAMPLE = 50  # finished runs from which time and space are estimated
SHORTEST = 0.5  # seconds of a run; records have whole seconds, 0 for a quick run


def show_plan(runs: Sequence[RunPlan], open_runs: Sequence[RunPlan]) -> None:
    """Print name, status, differing settings and rough time of every run; then time and space.

    `open_runs` are those that the command would start.
    """
    states = [run_state(run.folder) for run in runs]
    finished = [state for state in states if state.status in FINISHED] or _alike(runs[0])
    sample = [state for state in finished if state.settings][:SAMPLE]
    opened = {run.folder for run in open_runs}
    images = [images_of(state.settings or {}) for state in sample]
    seconds = [max(state.seconds, SHORTEST) for state in sample]
    times = [
        expected(images, seconds, [images_of(run.settings)])
        if sample and run.folder in opened
        else None
        for run in runs
    ]
    names = [run.key for run in runs]
    columns = [
        TableColumn("status", [Text(s.status, COLOURS.get(s.status, "yellow")) for s in states]),
        *settings_columns(names, [run.settings for run in runs]),
        TableColumn("rough time", [Text("" if t is None else duration(t)) for t in times]),
    ]
    console.print(layout(names, columns, console.width))
    print_line(f"{counted(len(runs), 'run')}, {len(open_runs)} to start.", console)
    known = [time for time in times if time is not None]
    if open_runs:
        print_line(_estimate(known, sample, len(open_runs), runs[0].folder), console)
    if any(images_of(run.settings) for run in open_runs):  # something is trained
        cache = runs[0].cache_folder
        cost = training_cost([run.settings for run in open_runs], cache)
        for line in () if cost is None else describe_cost(cost, speed_here(cache), disk=not known):
            print_line(line, console)


def _estimate(times: Sequence[float], sample: Sequence[RunState], runs: int, place: Path) -> str:
    if not times:
        return (
            "Measured times are shown after the first finished run of this network on this data "
            "set."
        )
    files = [file for state in sample for file in state.path.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files) / len(sample)
    free = shutil.disk_usage(next(p for p in (place, *place.parents) if p.exists())).free
    return (
        f"About {duration(sum(times))} one after the other and {size_text(size * runs)} of "
        f"disk for their folders, by {counted(len(sample), 'finished run')}; {size_text(free)} "
        "are free."
    )


def _alike(run: RunPlan) -> list[RunState]:
    """Finished runs of the same network and data set, under any name below paths.runs.

    Images of one's own are often `image_folder`, and take longer the larger they are.
    """
    model, data = run.settings["model"], run.settings["data"]
    name = f"{model['name']}-{data['name']}-n*"
    found = sorted(run.runs_folder.glob(f"**/{name}/record.json"))[:SAMPLE]
    states = [run_state(record.parent) for record in found]
    finished = [state for state in states if state.status in FINISHED and state.settings]
    return [state for state in finished if _seen((state.settings or {})["data"]) == _seen(data)]


def _seen(data: Mapping[str, Any]) -> list[Any]:
    """What images a network is trained on."""
    return [data.get(name) for name in ("root", "size", "channels")]
