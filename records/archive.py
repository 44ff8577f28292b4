"""Archives: settings, numbers, curves and provenance of many runs in one Parquet file.

One row per run. `record` is its `record.json`; `epoch`, `step`, `name` and `value` are the columns
of its `metrics.csv`; `arrays` are the small arrays that figures need. An archive has no images,
weights or predictions.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from records.archive_schema import LARGEST_FILE, MARK, MOST, check_archive, check_place, schema
from records.atomic import replacing
from records.curves import NEEDED as COLUMNS
from records.curves import NO_CURVES, Curves
from records.old_words import current_record
from records.reader import LARGEST, Record, read_bytes
from records.schema import NEEDED, BadRecordError, check_record
from records.seal import check_seal, footer_of, sealed

SUFFIX = ".parquet"
# Read as dictionary and index: a text repeated a million times is unpacked once.
TEXTS = ["key", "place", "record", "name.list.element", "arrays.list.element.name"]


@dataclass(frozen=True)
class ArchivedRun:
    """One run: its place below the folder that was archived, its record, curves and arrays."""

    place: str  # "konz2024/generalization/<key>"
    record: Record
    curves: Curves = NO_CURVES
    arrays: dict[tuple[str, int], NDArray[Any]] = field(default_factory=dict)  # by name and epoch


def write_archive(file: Path, runs: Iterable[ArchivedRun]) -> None:
    """Write the runs, sorted by place: the same runs give the same bytes."""
    import pyarrow as pa  # takes 30 ms, and most launches do not need it
    from pyarrow import parquet

    rows = [_as_row(run) for run in sorted(runs, key=lambda run: run.place)]
    buffer = pa.BufferOutputStream()
    parquet.write_table(
        pa.Table.from_pylist(rows, schema=schema()),
        buffer,
        compression="zstd",
        compression_level=19,
        use_dictionary=["name.list.element", "epoch.list.element", "step.list.element"],
    )
    with replacing(file) as temporary:
        temporary.write_bytes(sealed(buffer.getvalue().to_pybytes()))


def read_archive(file: Path) -> list[ArchivedRun]:
    """The runs of an archive; every record and list is checked.

    Raises BadRecordError, with the reason, if it is damaged, too large or not an archive.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        content = read_bytes(file, LARGEST_FILE)
        if MARK not in footer_of(content):
            raise BadRecordError("a Parquet file, but not an archive of runs")
        check_seal(content)
        check_archive(parquet.ParquetFile(pa.BufferReader(content)))
        opened = parquet.ParquetFile(pa.BufferReader(content), read_dictionary=TEXTS)
        table = opened.read(use_threads=False)
        table.validate(full=True)
        _check_records(table.column("record"))
        batches = table.to_batches(16)  # few at a time: as Python objects they are 8 times larger
        runs = [_of_row(row) for batch in batches for row in batch.to_pylist()]
    except (BadRecordError, FileNotFoundError):
        raise
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise BadRecordError(f"{type(error).__name__}: {reason[:200]}") from None
    if len({run.record["key"] for run in runs}) < len(runs):
        raise BadRecordError("it has the same run twice")
    return runs


def is_archive(file: Path) -> bool:
    """Whether a Parquet file is an archive; True also if it is too damaged to decide."""
    try:
        return MARK in footer_of(read_bytes(file, LARGEST_FILE))
    except (OSError, ValueError):
        return True


def archived_run(path: Path) -> ArchivedRun | None:
    """The run at `<archive>.parquet/<place>`; None if the path is not inside an archive."""
    for file in path.parents:
        if file.suffix == SUFFIX and file.is_file():
            state = file.stat()
            runs = _read_once(file, state.st_mtime_ns, state.st_size)
            return runs.get(path.relative_to(file).as_posix())
    return None


@lru_cache(maxsize=16)
def _read_once(file: Path, changed: int, size: int) -> dict[str, ArchivedRun]:
    return {run.place: run for run in read_archive(file)}


def _check_records(column: Any) -> None:
    """Raise BadRecordError if the texts of the records are too large, one or all together."""
    from pyarrow import compute

    sizes = [
        compute.take(compute.binary_length(chunk.dictionary), chunk.indices)
        for chunk in column.chunks
    ]
    if any((compute.max(one).as_py() or 0) > LARGEST for one in sizes):
        raise BadRecordError(f"a record has more than {LARGEST:,} bytes")
    total = sum(compute.sum(one).as_py() or 0 for one in sizes)
    if total > MOST["unpacked bytes"]:
        raise BadRecordError(f"{total:,} bytes of records, more than {MOST['unpacked bytes']:,}")


def _as_row(run: ArchivedRun) -> dict[str, Any]:
    course = run.curves.course()  # the final numbers are in the record
    return {
        "key": run.record["key"],
        "place": check_place(run.place),
        "record": json.dumps(run.record, sort_keys=True, separators=(",", ":")),
        **{name: vars(course)[name].tolist() for name in COLUMNS},
        "arrays": [
            {
                "name": name,
                "epoch": epoch,
                "shape": list(values.shape),
                "values": values.ravel().astype(np.float32),
            }
            for (name, epoch), values in sorted(run.arrays.items())
        ],
    }


def _of_row(row: dict[str, Any]) -> ArchivedRun:
    place = check_place(row["place"])
    record = current_record(check_record(json.loads(row["record"]), NEEDED))
    if record["key"] != row["key"]:
        raise BadRecordError(f"{place}: its record is that of {record['key']!r}")
    kinds = ("int64", "int64", "object", "float64")
    columns = [np.array(row[name], kind) for name, kind in zip(COLUMNS, kinds, strict=True)]
    if len({column.shape for column in columns}) > 1 or columns[0].ndim != 1:
        raise BadRecordError(f"{place}: the columns of its curves have different lengths")
    arrays = {
        (str(one["name"]), int(one["epoch"])): np.array(one["values"], "f4").reshape(one["shape"])
        for one in row["arrays"]
    }
    return ArchivedRun(place, record, Curves(*columns), arrays)
