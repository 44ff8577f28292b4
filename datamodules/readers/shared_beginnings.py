"""A note on file names that begin alike, as those of one patient often do."""

import re
from collections import Counter
from collections.abc import Sequence

from datamodules.readers.folder_item import Item
from datamodules.readers.setting import setting
from records.counted import counted

BEGIN = re.compile(r"([^/_-]*[0-9][^/_-]*)[_-]")  # `10_left.png`, `person7-3.jpg`; not `scan_1.png`
GROUP = "([^/_-]+)[^/]*$"  # the same in a path, where every name has one
GROUP_OR_NAME = "([^/_-]*[0-9][^/_-]*(?=[_-][^/]*$)|[^/]*$)"  # or else the whole name
FEWEST = 3  # beginnings per class: fewer may name the class, as in `n02085620_7.jpg`
SHARE = 0.5  # of the images that share their beginning with others


def shared_beginnings(items: Sequence[Item]) -> tuple[str, ...]:
    """A note if half of the images or more share a numbered beginning of their name with others.

    >>> from pathlib import Path
    >>> names = [f"{k}_{eye}.png" for k in range(9) for eye in ("left", "right")]
    >>> shared_beginnings([Item(Path(name), "a", None, name) for name in names])[0][:68]
    'the names of 18 images begin alike in 9 groups, such as `0_left.png`'
    """
    begins = [found[1] if (found := BEGIN.match(item.path.name)) else "" for item in items]
    count = Counter(begin for begin in begins if begin)
    shared = {begin: number for begin, number in count.items() if number > 1}
    classes = len({item.label for item in items})
    images = sum(shared.values())
    if len(shared) <= FEWEST * classes or images < SHARE * len(items):
        return ()
    first = next(iter(shared))
    both = [item.path.name for item, begin in zip(items, begins, strict=True) if begin == first][:2]
    pattern = GROUP if all(begins) else GROUP_OR_NAME
    return (
        f"the names of {counted(images, 'image')} begin alike in {counted(len(shared), 'group')}, "
        f"such as `{both[0]}` and `{both[1]}`; if each is of a patient or the like, "
        f"{setting('data.reader.group_pattern', pattern)} keeps it on one side of a split",
    )
