"""A run as an archive holds it: its record, all curves, and the arrays that are small.

Of every array the last epoch is kept, as float32: whole up to 4,096 numbers; of spectra, which have
a row per image, as many evenly spaced rows as make 1,024 numbers. Larger arrays and arrays of
images are left out; figures that need them are made from the run folders.
"""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.series import MOST
from records.archive import ArchivedRun, archived_run
from records.array_file import ArrayFile
from records.curves import read_curves
from records.locations import without_locations
from records.printable import printable
from records.reader import read_record
from records.run_folder import RunFolder

LARGEST = 4096  # numbers of an array that is kept whole
SPECTRUM = 1024  # numbers of a spectrum that is thinned
SPECTRA = "singular_values"


def portable_runs(found: Iterable[tuple[Path, str]]) -> Iterator[ArchivedRun]:
    """Runs by their path, in a folder or in an archive, with the experiment each belongs to."""
    for path, experiment in found:
        if inside := archived_run(path):
            yield inside
        else:
            yield _of_folder(path, f"{experiment}/{path.name}")


def _of_folder(path: Path, place: str) -> ArchivedRun:
    folder = RunFolder(path)
    record = folder.with_rank_failures(printable(read_record(folder.record_file)))
    return ArchivedRun(
        place, without_locations(record), read_curves(folder.metrics_file), small_arrays(path)
    )


def small_arrays(path: Path) -> dict[tuple[str, int], NDArray[np.float32]]:
    """The arrays of a run folder that travel, by name and epoch.

    Raises:
        ValueError: One of the files is damaged.
    """
    last: dict[str, tuple[int, Path]] = {}
    for file in (path / "arrays").glob("*@*.npz"):
        stem, _, number = file.stem.rpartition("@")
        if number.isdigit():
            last[stem] = max(last.get(stem, (-1, file)), (int(number), file))
    kept = {}
    for stem, (epoch, file) in sorted(last.items()):
        values = _small(file, is_spectrum=SPECTRA in stem)
        if values is not None:
            kept[stem, epoch] = values
    return kept


def _small(file: Path, is_spectrum: bool) -> NDArray[np.float32] | None:
    try:
        content = ArrayFile(file)
        (only,) = content.names
        header = content.header(only)
        count = math.prod(header.shape)
        is_thinned = is_spectrum and len(header.shape) == 2 and count > SPECTRUM
        if len(header.shape) > 2 or header.dtype.kind not in "biuf":
            return None
        if count > LARGEST and not is_thinned:
            return None
        values = content.read(only, MOST).astype(np.float32)
    except Exception as error:  # a damaged archive can raise anything
        raise ValueError(f"{file}: is no array of a run ({error}); remove it") from error
    if is_thinned:
        rows = max(1, SPECTRUM // max(1, values.shape[1]))
        values = values[np.linspace(0, len(values) - 1, rows).round().astype(int)]
    return values
