"""Any folders or archives of runs as one tidy table; what cannot be read is counted and listed."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pandas import DataFrame

from analysis.runs.columns import derive
from analysis.runs.data_names import OWN_SET, own_set, with_data_names
from analysis.runs.parsed_runs import ParsedRuns
from analysis.runs.repeated import DATA_STATE, data_state, drop_repeated
from analysis.runs.run_row import CURVES, IDENTITY, SETTINGS, run_row
from records.archive import SUFFIX, is_archive, read_archive
from records.curves import COLUMNS, NO_CURVES
from records.printable import printable
from records.reader import Record
from records.run_folder import RunFolder
from records.schema import BadRecordError, flat
from records.status import USABLE

NAMES = {"record.json", "record.broken.json"}
CONTENT = {"arrays", "figures", "checkpoints", "wandb"}  # of a run: no run is in them


@dataclass(frozen=True)
class Runs:
    """Everything that was read."""

    table: DataFrame  # one row per run: IDENTITY, settings, curves, then every scalar
    broken: DataFrame  # path, reason: what could not be read
    copies: int = 0  # runs found in more than one place; one of each is kept
    superseded: frozenset[str] = frozenset()  # keys of runs made again after their data were edited
    outdated: frozenset[str] = frozenset()  # keys of runs on data before an edit, not made again

    @property
    def old(self) -> int:
        """How many runs were left out because their data were edited since."""
        return len(self.superseded | self.outdated)

    @property
    def done(self) -> DataFrame:
        """The runs whose numbers may be analysed."""
        return self.table[self.table.status.isin(USABLE)].reset_index(drop=True)

    @property
    def plain(self) -> DataFrame:
        """The table for CSV and Parquet: without the columns of settings and curves."""
        shown = self.table.drop(columns=[SETTINGS, CURVES])
        return shown.assign(path=[printable(str(path)) for path in shown.path])

    @property
    def metrics(self) -> DataFrame:
        """One row per measurement: key, epoch, step, name, value, images."""
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


def read_runs(sources: Iterable[Path], store: Path | None = None) -> Runs:
    """Read every record and its curves below some folders and in some archives.

    An unfinished run has its row, with its status and no scalars. Nothing is changed on disk: runs
    may still be in progress.

    Args:
        sources: run folders or whole trees of them; archives or folders with archives.
        store: file in which parsed files are kept for the next time.

    Raises:
        ValueError: If a folder does not exist, if none of them contains a record, or if an archive
            that was named is damaged.
    """
    rows: list[dict[str, Any]] = []
    broken: list[dict[str, str]] = []
    sources, parsed = list(sources), ParsedRuns(store)
    for file in archives_in(sources):
        try:
            rows += _archived_rows(file)
        except (BadRecordError, OSError) as error:
            if file in sources:
                raise ValueError(f"{file} cannot be read as an archive: {error}") from None
            broken.append({"path": printable(str(file)), "reason": f"no archive: {error}"})
    for file, root in records_below([one for one in sources if not one.is_file()]):
        try:
            rows.append(_row(parsed.record(file), file, root))
        except (BadRecordError, OSError) as error:
            broken.append({"path": printable(str(file)), "reason": str(error)})
            continue
        metrics = file.with_name("metrics.csv")
        try:
            rows[-1][CURVES] = parsed.curves(metrics)
        except (ValueError, OSError) as error:
            broken.append({"path": printable(str(metrics)), "reason": f"metrics.csv: {error}"})
    if not rows and not broken:
        looked = ", ".join(str(one) for one in sources)
        raise ValueError(
            f"no record.json below {looked}, and no archive; `python launch.py` makes the first run"
        )
    parsed.save()
    return _tidy(rows, broken)


def _tidy(rows: list[dict[str, Any]], broken: list[dict[str, str]]) -> Runs:
    table = DataFrame(rows, columns=None if rows else [*IDENTITY, SETTINGS, CURVES])
    # of no rows they would be objects; copied, since a frame of so many columns is in pieces
    table = table.astype({"standin": bool, "bad_data": bool}).copy()
    kept = drop_repeated(table)
    return Runs(
        table=derive(with_data_names(kept.table)),
        broken=DataFrame(broken, columns=["path", "reason"]),
        copies=kept.copies,
        superseded=kept.superseded,
        outdated=kept.outdated,
    )


def _archived_rows(file: Path) -> list[dict[str, Any]]:
    """The rows of an archive; the path of a run is `<archive>/<experiment>/<key>`."""
    return [
        run_row(printable(run.record), file / run.place, file)
        | {DATA_STATE: data_state(run.record), OWN_SET: own_set(run.record), CURVES: run.curves}
        for run in read_archive(file)
    ]


def _row(record: Record, file: Path, root: Path) -> dict[str, Any]:
    folder = RunFolder(file.parent)
    record = folder.with_present_status(record)
    facts = {DATA_STATE: data_state(record), OWN_SET: own_set(record), CURVES: NO_CURVES}
    return run_row(record, file.parent, root) | facts


def archives_in(sources: Iterable[Path]) -> list[Path]:
    """The archives among the sources and in folders among them; other Parquet files are skipped."""
    found: dict[Path, None] = {}
    for source in sources:
        if source.is_file():
            found[source] = None
            continue
        for place, inside, files in os.walk(source):
            if NAMES.intersection(files):
                inside.clear()
                continue
            inside.sort()
            here = [Path(place, name) for name in sorted(files) if name.endswith(SUFFIX)]
            found |= dict.fromkeys(file for file in here if is_archive(file))
    return list(found)


def records_below(folders: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    """Every record file once, with the source folder that contains it.

    Raises:
        ValueError: If one of them is no folder.
    """
    seen: set[str] = set()
    for folder in folders:
        if not folder.is_dir():
            raise ValueError(f"{folder} is not a folder; give run folders or archives")
        for place, inside, files in os.walk(folder):
            if found := NAMES.intersection(files):
                inside[:] = [name for name in inside if name not in CONTENT]
            inside.sort()
            real = os.path.realpath(place)
            for name in sorted(found):
                if (own := os.path.join(real, name)) not in seen:  # noqa: PTH118
                    seen.add(own)
                    yield Path(place, name), folder


def report_folder(source: Path) -> Path:
    """The default folder of a report; for archives `runs/report-<name>`.

    >>> report_folder(Path("runs/tour")).as_posix()
    'runs/tour/report'
    """
    if not holds_archives(source):
        return source / "report"
    return Path("runs") / f"report-{source.stem if source.is_file() else source.resolve().name}"


def holds_archives(source: Path) -> bool:
    """Whether a source is an archive or a folder of archives: nothing is written beside them."""
    return source.is_file() or any(source.glob(f"*{SUFFIX}"))
