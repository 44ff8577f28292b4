"""Columns and limits of an archive, checked before it is unpacked."""

from pathlib import PurePosixPath
from typing import Any

from records.schema import BadRecordError

MARK, VERSION = b"plumbline_archive", b"1"
LARGEST_FILE = 2**28  # bytes; 1,000 runs take about 10 million
MOST = {"runs": 10**5, "values": 2**27, "unpacked bytes": 2**30}


def schema() -> Any:
    """Columns of an archive, as pyarrow has them."""
    import pyarrow as pa  # takes 30 ms, and most launches do not need it

    array = {
        "name": pa.string(),
        "epoch": pa.int64(),
        "shape": pa.list_(pa.int64()),
        "values": pa.list_(pa.float32()),
    }
    columns = {
        **{name: pa.string() for name in ("key", "place", "record")},
        **{name: pa.list_(pa.int64()) for name in ("epoch", "step")},
        "name": pa.list_(pa.string()),
        "value": pa.list_(pa.float64()),
        "arrays": pa.list_(pa.struct(array)),
    }
    return pa.schema(columns, metadata={MARK: VERSION})


def check_archive(opened: Any) -> None:
    """Raise BadRecordError unless a `ParquetFile` is an archive within the limits.

    A few bytes can claim billions of equal values, so the claims are checked first.
    """
    found, facts = opened.schema_arrow, opened.metadata
    version = (found.metadata or {}).get(MARK, b"")
    if version != VERSION:
        raise BadRecordError(f"version {version.decode(errors='replace')!r}; this reads version 1")
    if not found.equals(schema()):
        raise BadRecordError(f"its columns are not {', '.join(schema().names)}")
    groups = [facts.row_group(i) for i in range(facts.num_row_groups)]
    columns = [group.column(i) for group in groups for i in range(group.num_columns)]
    claimed = {
        "runs": facts.num_rows,
        "values": sum(column.num_values for column in columns),
        "unpacked bytes": sum(column.total_uncompressed_size for column in columns),
    }
    for what, count in claimed.items():
        if count > MOST[what]:
            raise BadRecordError(f"{count:,} {what}, more than {MOST[what]:,}")


def check_place(place: str) -> str:
    """The place of a run, checked to be inside the archive.

    >>> check_place("tour/lenet-digits-n100-s0-aafc61d0")
    'tour/lenet-digits-n100-s0-aafc61d0'
    >>> check_place("../secret")
    Traceback (most recent call last):
    records.schema.BadRecordError: '../secret' is not a place inside an archive
    """
    path = PurePosixPath(place)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in place:
        raise BadRecordError(f"{place!r} is not a place inside an archive")
    return place
