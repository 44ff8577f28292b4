"""A run as an archive holds it: its record, all curves, and the arrays that are small.

Of every array the last epoch is kept, as float32: whole up to 4,096 numbers; evenly spaced rows of
spectra, up to 1,024 numbers; nearest distances and radii of evenly spaced test images, up to 4,096
distances. Larger arrays and images are left out; figures that need them need the run folders.
"""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.runs.run_row import RECIPE, recipe
from analysis.runs.series import MOST
from datamodules.spec import OWN
from records.archive import ArchivedRun, archived_run
from records.array_file import ArrayFile
from records.curves import read_curves
from records.data_place import ARCHIVED, data_listing
from records.locations import without_locations
from records.printable import printable
from records.reader import Record, read_record
from records.run_folder import RunFolder

LARGEST = 4096  # numbers of an array that is kept whole
SPECTRUM = 1024  # numbers of a spectrum that is thinned
SPECTRA = "singular_values"
DISTANCES = "data_nearest_"  # (sizes, test images)
RADII = "test_certified_radius"  # (test images,)


def portable_runs(found: Iterable[tuple[Path, str, str]]) -> Iterator[ArchivedRun]:
    """Runs by their path, in a folder or in an archive, with their experiment and data set."""
    for path, experiment, data in found:
        if inside := archived_run(path):
            yield inside
        else:
            yield _of_folder(path, f"{experiment}/{path.name}", data)


def _of_folder(path: Path, place: str, data: str) -> ArchivedRun:
    folder = RunFolder(path)
    record = folder.with_rank_failures(printable(read_record(folder.record_file)))
    plain = without_locations(record) | {ARCHIVED: data_listing(record)}
    own = recipe(record["settings"])
    if recipe(plain["settings"]) != own:  # weights of two folders may have one name
        plain[RECIPE] = own
    if shown_root(record, data):
        plain["settings"]["data"]["root"] = shown_root(record, data)
    return ArchivedRun(place, plain, read_curves(folder.metrics_file), small_arrays(path))


def shown_root(record: Record, data: str) -> str:
    """Of a user's own images as many last parts of the path as the name of the data set has.

    >>> data = {"name": "image_folder", "root": "/me/A/images"}
    >>> shown_root({"settings": {"data": data}}, "A/images")
    '.../A/images'
    """
    own = record["settings"]["data"]
    if own["name"] not in OWN or not own.get("root"):
        return ""
    parts = Path(own["root"]).parts
    kept = parts[-1 - data.count("/") :]
    return "/".join(["...", *kept]) if len(kept) < len(parts) else str(own["root"])


def small_arrays(path: Path) -> dict[tuple[str, int], NDArray[np.float32]]:
    """The arrays of a run folder that an archive keeps, by name and epoch.

    Raises:
        ValueError: One of the files is damaged.
    """
    last: dict[str, tuple[int, Path]] = {}
    for file in (path / "arrays").glob("*@*.npz"):
        stem, _, number = file.stem.rpartition("@")
        if number.isdigit():
            last[stem] = max(last.get(stem, (-1, file)), (int(number), file))
    found = {(stem, epoch): _read(file, stem) for stem, (epoch, file) in sorted(last.items())}
    known = {name: values for name, values in found.items() if values is not None}
    kept = _same_images(known)
    return {name: values for name, values in kept.items() if values.size <= LARGEST}


def _read(file: Path, stem: str) -> NDArray[np.float32] | None:
    """An array, spectra thinned; None if it is neither numbers in two axes nor of a known kind."""
    try:
        content = ArrayFile(file)
        (only,) = content.names
        header = content.header(only)
        count = math.prod(header.shape)
        thinned = SPECTRA in stem or stem.startswith((DISTANCES, RADII))
        if len(header.shape) > 2 or header.dtype.kind not in "biuf":
            return None
        if count > LARGEST and not thinned:
            return None
        values = content.read(only, MOST).astype(np.float32)
    except Exception as error:  # a damaged archive can raise anything
        raise ValueError(f"{file}: is no array of a run ({error}); remove it") from error
    if SPECTRA in stem and values.ndim == 2 and values.size > SPECTRUM:
        values = values[evenly(len(values), SPECTRUM // max(1, values.shape[1]))]
    return values


def _same_images(
    arrays: dict[tuple[str, int], NDArray[np.float32]],
) -> dict[tuple[str, int], NDArray[np.float32]]:
    """Distances and radii thinned to the same test images."""
    distances = [own for (stem, _), own in arrays.items() if stem.startswith(DISTANCES)]
    if not distances or distances[0].ndim != 2:
        return arrays
    sizes, images = distances[0].shape
    chosen = evenly(images, LARGEST // max(1, sizes))
    return {
        (stem, epoch): own[..., chosen]
        if stem.startswith((DISTANCES, RADII)) and own.shape[-1] == images
        else own
        for (stem, epoch), own in arrays.items()
    }


def evenly(count: int, wanted: int) -> NDArray[np.int64]:
    """Evenly spaced indices below `count`; all where that is no more than `wanted`.

    >>> evenly(9, 3).tolist(), evenly(2, 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    return np.linspace(0, count - 1, min(count, max(wanted, 1))).round().astype(np.int64)
