"""Any folder of runs as one tidy table; what cannot be read is counted and listed."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pandas import DataFrame

from analysis.columns import derive
from analysis.repeated import EQUAL, drop_repeated, equal_id
from analysis.run_row import CURVES, IDENTITY, SETTINGS, run_row
from records.curves import COLUMNS, NO_CURVES, read_curves
from records.printable import printable
from records.reader import read_record
from records.run_folder import RunFolder
from records.schema import NEEDED, BadRecordError, flat
from records.status import is_usable

NAMES = {"record.json", "record.broken.json"}
CONTENT = {"arrays", "figures", "checkpoints", "wandb"}  # of a run: no run is in them


@dataclass(frozen=True)
class Runs:
    """Everything that was read."""

    table: DataFrame  # one row per run: IDENTITY, settings, curves, then every scalar
    broken: DataFrame  # path, reason: what could not be read
    copies: int = 0  # runs found in more than one place; one of each is kept
    superseded: frozenset[str] = frozenset()  # keys of runs made again after their data were edited

    @property
    def done(self) -> DataFrame:
        """The runs whose numbers may be analysed."""
        return self.table[self.table.status.map(is_usable).astype(bool)].reset_index(drop=True)

    @property
    def plain(self) -> DataFrame:
        """The table as files can hold it: without the settings and curves."""
        shown = self.table.drop(columns=[SETTINGS, CURVES])
        return shown.assign(path=[printable(str(path)) for path in shown.path])

    @property
    def metrics(self) -> DataFrame:
        """One row per measurement: key, epoch, step, name, value."""
        found = [NO_CURVES, *self.table[CURVES]]
        keys = np.repeat(["", *self.table.key], [len(one.name) for one in found])
        columns = {name: np.concatenate([vars(one)[name] for one in found]) for name in COLUMNS}
        return DataFrame({"key": keys, **columns})

    @cached_property
    def settings(self) -> dict[str, dict[str, Any]]:
        """By key, flat: "data.size" -> 224."""
        return {
            key: dict(flat(own))
            for key, own in zip(self.table.key, self.table[SETTINGS], strict=True)
        }


def read_runs(folders: Iterable[Path]) -> Runs:
    """Read every `record.json` and `metrics.csv` below some folders.

    A run that is unfinished has its row, with its status and no scalars. Nothing is changed on
    disk: runs may still be going on.

    Args:
        folders: run folders, experiments or whole trees of them.

    Returns:
        The tidy table, the measurements in long form, and what was broken.

    Raises:
        ValueError: If a folder does not exist, or none of them contains a record.
    """
    rows: list[dict[str, Any]] = []
    broken: list[dict[str, str]] = []
    folders = list(folders)
    for file, root in records_below(folders):
        try:
            rows.append(_row(file, root))
        except (BadRecordError, OSError) as error:
            broken.append({"path": printable(str(file)), "reason": str(error)})
            continue
        metrics = file.with_name("metrics.csv")
        try:
            rows[-1][CURVES] = read_curves(metrics)
        except (ValueError, OSError) as error:
            broken.append({"path": printable(str(metrics)), "reason": f"metrics.csv: {error}"})
    if not rows and not broken:
        looked = ", ".join(str(folder) for folder in folders)
        raise ValueError(f"no record.json below {looked}; `python launch.py` makes the first run")
    table = DataFrame(rows, columns=None if rows else [*IDENTITY, SETTINGS, CURVES])
    table = table.astype({"standin": bool, "bad_data": bool})  # of no rows they would be objects
    kept, copies, superseded = drop_repeated(table)
    return Runs(
        table=derive(kept),
        broken=DataFrame(broken, columns=["path", "reason"]),
        copies=copies,
        superseded=superseded,
    )


def _row(file: Path, root: Path) -> dict[str, Any]:
    try:
        record = printable(read_record(file, NEEDED))
        folder = RunFolder(file.parent)
        record = {**folder.with_rank_failures(record), "status": folder.status_now(record)}
        return run_row(record, file.parent, root) | {EQUAL: equal_id(record), CURVES: NO_CURVES}
    except RecursionError:
        raise BadRecordError("its settings are nested too deeply") from None


def records_below(folders: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    """Every record file once, with the given folder that contains it.

    Raises:
        ValueError: If one of them is no folder.
    """
    seen: set[str] = set()
    for folder in folders:
        if not folder.is_dir():
            raise ValueError(f"{folder} is not a folder; give the folder of a run or of many")
        for place, inside, files in os.walk(folder):
            if found := NAMES.intersection(files):
                inside[:] = [name for name in inside if name not in CONTENT]
            inside.sort()
            real = os.path.realpath(place)
            for name in sorted(found):
                if (own := os.path.join(real, name)) not in seen:  # noqa: PTH118
                    seen.add(own)
                    yield Path(place, name), folder
