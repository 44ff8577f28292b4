"""Missing runs of a sweep, and the commands that make them.

A sweep writes a note of its runs and its command beside them; without a note, the grid is inferred
from the records. A run that failed on its data is listed separately: its command fails again until
the command or the data change.
"""

import shlex
from collections.abc import Collection, Iterator
from itertools import product
from typing import Any

from pandas import DataFrame, Series

from analysis.runs.run_row import DIFFICULTY, SETTINGS
from datamodules.spec import OWN
from records.key import parse_key
from records.status import FINISHED
from records.sweep import sweeps_in

AXES = ["model", "data", "n", "seed"]
SWEEPS = frozenset(["-m", "--multirun"])


def missing_runs(table: DataFrame, superseded: Collection[str] = ()) -> DataFrame:
    """Runs that were planned, or cells of an experiment's grid, without a finished run.

    Beside runs with notes of sweeps the planned runs are those of the notes, and those started.
    Elsewhere the grid of an experiment is what its records show: for every data set all models and
    all n of the experiment, with the seeds seen for that data set; for one's own images only those
    of the set. A failed or unfinished run says so; one that failed on its data neither counts as
    missing nor widens the grid. Runs of commands without a sweep and of `--difficulty` are no grid.

    Args:
        table: all runs, finished or not.
        superseded: keys of runs that are not in the table because their data were edited since.

    Returns:
        One row per cell: experiment, model, data, n, seed, status, error, and the command of the
        sweep that would make it; empty where the cell was guessed.
    """
    folders = Series([path.parent for path in table.path], index=table.index, dtype=object)
    noted = {folder: notes for folder in sorted(set(folders)) if (notes := sweeps_in(folder))}
    beside = folders.isin(list(noted))
    # plain values again: a sweep has thousands of keys
    columns = ["key", "experiment", *AXES, "status", "error"]
    known = {row["key"]: row for row in table[columns].to_dict("records")}
    for key in table[is_refused(table)].key:
        known[key]["status"] = "refused"
    rows: list[dict[str, Any]] = []
    for folder, all_notes in noted.items():
        notes = [(line, [key for key in keys if key not in superseded]) for line, keys in all_notes]
        rows += _planned(notes, list(table[folders == folder].key), known)
    rows += _guessed(table[~beside])
    return DataFrame(rows, columns=["experiment", *AXES, "status", "error", "command"])


def _planned(
    notes: list[tuple[str, list[str]]], started: list[str], known: dict[str, dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The unfinished runs of one folder: of the sweeps noted in it, then those started by hand."""
    experiment = known[started[0]]["experiment"]
    seen: set[str] = set()
    for command, keys in [*notes, ("", started)]:
        for key in keys:
            row = known.get(key)
            if key in seen or (row is not None and is_over(row["status"])):
                continue
            seen.add(key)
            if row is None:
                facts: dict[str, Any] = dict.fromkeys(AXES, "") | parse_key(key)
                facts |= {axis: int(facts[axis]) for axis in ("n", "seed") if facts[axis]}
                facts |= {"experiment": experiment, "status": "not started", "error": ""}
            else:
                facts = {name: row[name] for name in ("experiment", *AXES, "status")}
                facts["error"] = first_line(row["error"])
            yield facts | {"command": command}


def _guessed(table: DataFrame) -> list[dict[str, Any]]:
    refused = is_refused(table)
    single = Series([_is_single(line) for line in table.command], index=table.index, dtype=bool)
    apart = set(table[refused | single][["experiment", *AXES]].itertuples(index=False, name=None))
    wanted = table[single & ~refused & ~table.status.isin(FINISHED)]
    facts = wanted[["experiment", *AXES, "status", "error"]].to_dict("records")
    rows = [row | {"error": first_line(row["error"]), "command": ""} for row in facts]
    for experiment, part in table[~refused & ~single].groupby("experiment"):
        nets = part[part.model != "none"]
        for data, mine in (nets if len(nets) else part).groupby("data"):
            source = nets if len(nets) else part
            # commands of their own, each of its data set
            is_alone = mine[SETTINGS].iloc[0]["data"]["name"] in OWN
            is_alone |= experiment.split("/")[-1] == DIFFICULTY
            swept = mine if is_alone else source
            grid = product(swept.model.unique(), swept.n.unique(), mine.seed.unique())
            # a dict of plain values: groups of a frame take 10 ms each, and a sweep has thousands
            found: dict[tuple[str, int, int], tuple[str, str | None]] = {}
            columns = (mine[name] for name in ("model", "n", "seed", "status", "error"))
            for model, n, seed, status, error in zip(*columns, strict=True):
                if found.get((model, n, seed), ("done", ""))[0] in FINISHED:
                    found[model, n, seed] = status, error
            for model, n, seed in grid:
                status, error = found.get((model, n, seed), ("not started", ""))
                if status in FINISHED or (experiment, model, data, n, seed) in apart:
                    continue
                row = {"experiment": experiment, "model": model, "data": data, "n": n, "seed": seed}
                rows.append(row | {"status": status, "error": first_line(error), "command": ""})
    return rows


def _is_single(command: str | None) -> bool:
    """Whether a command made one run, which is part of no grid.

    >>> [_is_single(line) for line in ("python launch.py n=5", "python launch.py -m n=5,6", None)]
    [True, False, False]
    """
    return isinstance(command, str) and SWEEPS.isdisjoint(command.split())


def is_over(status: str) -> bool:
    """Whether a run needs no further launch: finished, or failed on its data."""
    return status in FINISHED or status == "refused"


def is_refused(table: DataFrame) -> Series:
    """Whether each run failed on its data."""
    return (table.status == "failed") & table.bad_data.astype(bool)


def refused_runs(table: DataFrame) -> DataFrame:
    """The runs that failed on their data: experiment, model, data, n, seed, error."""
    refused = table[is_refused(table)][["experiment", *AXES, "error"]].reset_index(drop=True)
    return refused.assign(error=refused.error.map(first_line))


def first_line(error: str | None) -> str:
    """The first line of an error's text."""
    return (str(error).splitlines() or [""])[0] if isinstance(error, str) else ""


def filling_commands(missing: DataFrame, table: DataFrame) -> list[str]:
    """Commands that make the missing runs.

    Those of the sweeps that planned them; else each takes the other settings of its experiment
    along, one per data set where its missing cells fill a whole rectangle, else one per network and
    seed.
    """
    commands = [command for command in missing.command.unique() if command]
    guessed = missing[missing.command == ""]
    for (experiment, data), part in guessed.groupby(["experiment", "data"]):
        same = table[(table.experiment == experiment) & table.command.notna()]
        here = same[same.data == data]
        template = (here if len(here) else same).command
        kept = _others(template.iloc[0]) if len(template) else []
        pieces = [part]
        if len(part) != part.model.nunique() * part.n.nunique() * part.seed.nunique():
            pieces = [piece for _, piece in part.groupby(["model", "seed"])]
        for piece in pieces:
            chosen = {axis: _values(piece[axis]) for axis in AXES}
            if len(here):  # images of one's own are chosen by the name of their reader
                chosen["data"] = parse_key(here.key.iloc[0]).get("data", chosen["data"])
            axes = [f"{axis}={values}" for axis, values in chosen.items()]
            commands.append(shlex.join(["python", "launch.py", "-m", *axes, *kept]))
    return commands


def _others(command: str) -> list[str]:
    """The settings of a command that are not axes of the grid.

    >>> _others("python launch.py -m model=a,b data=c n=1 standin=true data.size=32")
    ['standin=true', 'data.size=32']
    """
    words = [word for word in shlex.split(command) if "=" in word]
    return [word for word in words if word.partition("=")[0] not in AXES]


def _values(column: Series) -> str:
    return ",".join(str(value) for value in sorted(column.unique()))
