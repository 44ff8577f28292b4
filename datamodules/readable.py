"""How many training images there are without the files that cannot be read."""

from functools import partial

import numpy as np

from datamodules.content import Contents
from datamodules.decode import BROKEN, in_file_order
from datamodules.errors import BadArchiveError, BadFileError, DataError
from datamodules.fingerprint import identify
from datamodules.identity import digest
from datamodules.image_data import ImageData, pixel_key
from datamodules.reader import Reader
from datamodules.selection import Selection, select
from records.cached import cached_json


def most_readable(chosen: Selection, readable: np.ndarray, split: str) -> int:
    """The largest n for which every class has enough readable images, (labels,) bool.

    An unreadable test image is replaced by a training image of its class, from the far end; where
    groups are kept apart, its whole group then leaves the training images.
    """
    y, test, pool = chosen.labels.y, chosen.subset.test, chosen.subset.train
    candidates = np.append(test, pool[::-1] if split != "official" else pool[:0])
    candidates = candidates[readable[candidates]]
    numbers = np.bincount(y[test], minlength=len(chosen.labels.classes)).tolist()
    taken = np.concatenate([candidates[y[candidates] == k][:m] for k, m in enumerate(numbers)])
    is_tested = np.isin(pool, taken)
    if is_tested.any() and split == "group" and chosen.groups is not None:
        group = chosen.groups[chosen.labels.index]
        is_tested = np.isin(group[pool], group[taken])
    left = pool[~is_tested & readable[pool]]
    most = len(pool)
    for k in np.unique(y[pool]):
        used = np.cumsum(y[pool] == k)  # images of this class among the first n
        most = min(most, int(np.searchsorted(used, (y[left] == k).sum(), side="right")))
    return most


def count_readable(data: ImageData) -> int:
    """The number of training images of `n=all` where unreadable files are skipped.

    Every image is read for it, once for every content of the set.
    """
    reader = data.open()
    listing = reader.listing()
    chosen = select(listing, data.task, data)
    images = chosen.labels.index[chosen.used(len(chosen.subset.train))]
    contents = Contents(data.cache_folder, data.folder or data.cache_folder)
    known = identify(listing, lambda: chosen, len(chosen.subset.train), contents)
    folder = None if known is None or data.use_standin else data.cache_folder / "readable"

    def compute() -> dict[str, list[int]]:
        read = partial(_is_readable, reader)
        found = in_file_order(reader, images.tolist(), read, f"checking {data.name}")
        return {"unreadable": sorted(i for i, is_whole in found.items() if not is_whole)}

    of = digest(known and known.fingerprint, pixel_key(data), images.tolist())
    unreadable = cached_json(folder, {"unreadable of": of}, compute)["unreadable"]
    most = most_readable(chosen, ~np.isin(chosen.labels.index, unreadable), data.split)
    if most < 1:
        raise DataError(
            f"of a class too few of the {len(images):,} images can be read "
            f"({len(unreadable):,} cannot); repair the files, or lower data.test_n."
        )
    return most


def _is_readable(reader: Reader, i: int) -> bool:
    try:
        reader.read(i)
    except BadArchiveError:
        raise
    except (BadFileError, *BROKEN):
        return False
    return True
