"""The reader of `record.json`; `records.curves` reads `metrics.csv`."""

import json
import stat
from pathlib import Path
from typing import Any

from records.old_words import OLD_WORDS, current_record
from records.printable import printable
from records.schema import BadRecordError, check_record

LARGEST = 2**25  # bytes; a record of a thousand numbers has 2**17

Record = dict[str, Any]


def read_record(file: Path, needed: tuple[str, ...] = ()) -> Record:
    """A record with checked types, present names (`old_words`) and texts that can be encoded.

    The two conversions visit every entry, which takes longer than parsing: they are skipped if the
    file has nothing to convert. Raises BadRecordError, with the reason, if it is not a record or
    lacks one of the entries `needed`, by dotted name.
    """
    try:
        content = read_bytes(file, LARGEST)
        record = check_record(json.loads(content), needed)
        if b"\\ud" in content.lower():  # an escaped surrogate
            record = printable(record)
        return current_record(record) if any(one in content for one in OLD_WORDS) else record
    except BadRecordError:
        raise
    except (ValueError, RecursionError) as error:  # no JSON, too deep, a number of 5,000 digits
        raise BadRecordError(f"{type(error).__name__}: {error}") from None


def read_bytes(file: Path, largest: int) -> bytes:
    """The content of a file; BadRecordError if it is larger, or not regular: a pipe would block."""
    found = file.stat()
    if not stat.S_ISREG(found.st_mode):
        raise BadRecordError("not a regular file")
    if found.st_size > largest:
        raise BadRecordError(f"{found.st_size:,} bytes, more than {largest:,}")
    return file.read_bytes()
