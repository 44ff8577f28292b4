"""Exhibits of the last report: those whose runs and code are unchanged are not made again.

A run is unchanged if its row is, and if its files have the same sizes and times of modification.
Pictures are read from the report itself, tables from Parquet files. A file whose checksum differs
is made again.
"""

import hashlib
import io
import json
import logging
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from pandas import DataFrame

from analysis.exhibits import Exhibit
from analysis.make import Made
from analysis.runs.run_row import CURVES, SETTINGS
from records.atomic import replacing, write_text

log = logging.getLogger(__name__)

FOLDER = ".made"  # in the folder of a report or chapter
SOURCES = ("analysis", "metrics", "records")
SUFFIXES = (".py", ".toml", ".csv")
LIBRARIES = ("matplotlib", "numpy", "pandas", "pillow", "pyarrow", "scipy", "torch")
READ = ("", "arrays", "figures")  # folders of a run whose files exhibits read


class ExhibitStore:
    """The exhibits of the last report in a folder.

    Args:
        folder: of the report or chapter.
        runs: of which exhibits are made now.
        forms: of figures.
    """

    def __init__(self, folder: Path, runs: DataFrame, forms: tuple[str, ...]) -> None:
        self.folder, self.runs, self.forms = folder, runs, forms
        self._index = _read_index(folder / FOLDER / "index.json")
        self._contents: dict[str, str] = {}  # by paper

    def find(self, exhibit: Exhibit) -> Made | None:
        """The exhibit as the last report made it; None if its runs, code or files have changed."""
        entry = self._index.get(_name(exhibit))
        if not entry or entry.get("key") != self._key(exhibit):
            return None
        try:
            files = {form: self._file(exhibit, form) for form in entry["files"]}
            if any(_digest(content) != entry["files"][form] for form, content in files.items()):
                return None
            table = files.pop("parquet", None)
            result = None if table is None else pd.read_parquet(io.BytesIO(table))
            used = tuple(entry["used"])
        except Exception as error:  # a damaged file can raise anything
            log.warning("%s is made again: %s", _name(exhibit), error)
            return None
        return Made(exhibit, result, used=used, pictures=files)

    def save(self, made: Iterable[Made]) -> None:
        """Remember what was made; the pictures must have been written before."""
        index: dict[str, Any] = {}
        for one in made:
            files = dict(one.pictures)
            if one.table is not None and (content := _parquet(one.table)) is not None:
                files["parquet"] = content
                with replacing(self._path(one.exhibit, "parquet")) as temporary:
                    temporary.write_bytes(content)
            if files:
                index[_name(one.exhibit)] = {
                    "key": self._key(one.exhibit),
                    "files": {form: _digest(content) for form, content in files.items()},
                    "used": list(one.used),
                }
        write_text(self.folder / FOLDER / "index.json", json.dumps(index))

    def _key(self, exhibit: Exhibit) -> str:
        if exhibit.paper not in self._contents:
            self._contents[exhibit.paper] = content_of(exhibit.select(self.runs))
        return _digest(repr((self._contents[exhibit.paper], code_version(), self.forms)).encode())

    def _file(self, exhibit: Exhibit, form: str) -> bytes:
        return self._path(exhibit, form).read_bytes()

    def _path(self, exhibit: Exhibit, form: str) -> Path:
        base = self.folder / FOLDER if form == "parquet" else self.folder
        return base / exhibit.kind / exhibit.paper / f"{exhibit.name}.{form}"


def content_of(runs: DataFrame) -> str:
    """A digest of the rows and of the files behind them."""
    digest = hashlib.sha256(repr(list(runs.columns)).encode())
    for _, column in runs.drop(columns=[SETTINGS, CURVES]).items():
        numbers = column.dtype.kind in "biuf"
        values = column.to_numpy().tobytes() if numbers else repr(column.tolist()).encode()
        digest.update(values)
    for path in runs.path:
        digest.update(repr(list(_states(Path(path)))).encode())
    return digest.hexdigest()


def _states(path: Path) -> Iterator[tuple[str, int, int]]:
    """Name, size and time of modification of the files of a run; of an archive its own."""
    if not path.is_dir():
        path = next(one for one in path.parents if one.exists())
        yield path.name, path.stat().st_size, path.stat().st_mtime_ns
        return
    for folder in READ:
        if (path / folder).is_dir():
            with os.scandir(path / folder) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    if entry.is_file():
                        found = entry.stat()
                        yield entry.name, found.st_size, found.st_mtime_ns


@cache
def code_version() -> str:
    """A digest of all code, settings and libraries that an exhibit depends on."""
    root = Path(__file__).parents[1]
    files = [
        file for name in SOURCES for file in (root / name).rglob("*") if file.suffix in SUFFIXES
    ]
    digest = hashlib.sha256(Path(mpl.matplotlib_fname()).read_bytes())
    for file in sorted(files):
        digest.update(file.read_bytes())
    digest.update(repr([sys.version, *map(version, LIBRARIES)]).encode())
    return digest.hexdigest()


def _parquet(table: DataFrame) -> bytes | None:
    """None for a table that would be read back in another form."""
    content = io.BytesIO()
    try:
        table.to_parquet(content)
        pd.testing.assert_frame_equal(pd.read_parquet(content), table, check_exact=True)
    except (AssertionError, ValueError, TypeError, NotImplementedError):
        return None
    return content.getvalue()


def _read_index(file: Path) -> dict[str, Any]:
    try:
        index = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return {}
    return index if isinstance(index, dict) else {}


def _name(exhibit: Exhibit) -> str:
    return f"{exhibit.kind}/{exhibit.paper}/{exhibit.name}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
