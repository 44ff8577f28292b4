"""Parsed records and curves, kept beside a report: runs whose files are unchanged are not reparsed.

A file is unchanged if its size, its time of modification and its inode are. The store holds the
runs of the last report only, so it does not grow; a damaged one, or one that another version of
the readers wrote, is ignored and replaced.
"""

import hashlib
import json
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import records.curves
import records.old_words
import records.reader
import records.schema
from records.atomic import replacing
from records.curves import NO_CURVES, Curves, read_curves
from records.reader import Record, read_record
from records.schema import NEEDED, check_record

log = logging.getLogger(__name__)

LARGEST = 2**28  # bytes; 5,000 runs with all measurements take 40 million
READERS = (records.curves, records.old_words, records.reader, records.schema)


@dataclass
class _Run:
    """What is known of one folder; a state names the file that was parsed."""

    record_state: str = ""
    record: Record = field(default_factory=dict)
    curves_state: str = ""
    curves: Curves = NO_CURVES


class ParsedRuns:
    """Reads runs through the store in a file; without a file, every run is parsed."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.parsed = 0  # files that were not in the store
        self._known = _read(file) if file else {}
        self._used: dict[str, _Run] = {}

    def record(self, file: Path) -> Record:
        """As `read_record`."""
        run, state = self._run(file), _state(file)
        if not state or run.record_state != state:
            self.parsed += 1
            run.record, run.record_state = read_record(file, NEEDED), state
        return run.record

    def curves(self, file: Path) -> Curves:
        """As `read_curves`."""
        run, state = self._run(file), _state(file)
        if not state or run.curves_state != state:
            self.parsed += bool(state)
            run.curves, run.curves_state = read_curves(file), state
        return run.curves

    def save(self) -> None:
        """Write the store if a file was parsed; without it the next report parses again."""
        if self.file is None or not (self.parsed or len(self._used) < len(self._known)):
            return
        try:
            content = _packed({name: run for name, run in self._used.items() if run.record_state})
            if len(content) <= LARGEST:
                with replacing(self.file) as temporary:
                    temporary.write_bytes(hashlib.sha256(content).digest() + content)
        except (OSError, ValueError) as error:
            log.warning("%s was not written: %s", self.file, error)

    def _run(self, file: Path) -> _Run:
        name = str(file.parent)
        if name not in self._used:
            self._used[name] = self._known.get(name) or _Run()
        return self._used[name]


def _state(file: Path) -> str:
    """Empty where there is no such file."""
    try:
        found = file.stat()
    except OSError:
        return ""
    return f"{file.name} {found.st_size} {found.st_mtime_ns} {found.st_ino}"


def _version() -> str:
    """Of the readers: another text of theirs may read a file in another way."""
    texts = [Path(str(module.__file__)).read_bytes() for module in READERS]
    return hashlib.sha256(b"".join(texts)).hexdigest()


def _packed(runs: dict[str, _Run]) -> bytes:
    import pyarrow as pa

    curves = [run.curves for run in runs.values()]
    whole = [NO_CURVES, *curves]
    columns = {name: np.concatenate([vars(one)[name] for one in whole]) for name in vars(NO_CURVES)}
    about = {
        "version": _version(),
        "folders": list(runs),
        "rows": [len(one.name) for one in curves],
        "states": [[run.record_state, run.curves_state] for run in runs.values()],
        "records": [run.record for run in runs.values()],
    }
    names = pa.array(columns.pop("name"), pa.string()).dictionary_encode()
    table = pa.table({**columns, "name": names})
    table = table.replace_schema_metadata({"about": json.dumps(about)})
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def _read(file: Path) -> dict[str, _Run]:
    """What the store holds; nothing where it is damaged or of another version."""
    try:
        if file.stat().st_size > LARGEST + 32:
            return {}
        content = file.read_bytes()
        if hashlib.sha256(content[32:]).digest() != content[:32]:
            raise ValueError("its checksum differs")
        return _unpacked(content[32:])
    except FileNotFoundError:
        return {}
    except Exception as error:  # whatever a damaged file makes of its readers
        log.warning("%s is damaged and will be replaced: %s", file, error)
        return {}


def _unpacked(content: bytes) -> dict[str, _Run]:
    import pyarrow as pa

    table = pa.ipc.open_file(content).read_all()
    about: dict[str, Any] = json.loads(table.schema.metadata[b"about"])
    if about["version"] != _version():
        return {}
    columns = {name: table[name].to_numpy() for name in vars(NO_CURVES) if name != "name"}
    encoded = table["name"].combine_chunks()
    names = np.array(encoded.dictionary.to_pylist(), dtype=object)
    columns["name"] = names[encoded.indices.to_numpy()] if len(names) else np.empty(0, object)
    ends = np.cumsum(about["rows"]).tolist()
    found = {}
    for place, folder in enumerate(about["folders"]):
        part = slice(ends[place] - about["rows"][place], ends[place])
        record_state, curves_state = about["states"][place]
        found[folder] = _Run(
            record_state,
            check_record(about["records"][place], NEEDED),
            curves_state,
            Curves(**{name: values[part] for name, values in columns.items()}),
        )
    return found
