"""What to do if a user's own images have fewer than two classes."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from datamodules.readers.no_classes import are_pieces
from datamodules.readers.parts import are_parts
from datamodules.readers.path_patterns import label_in_path
from datamodules.readers.setting import setting
from datamodules.readers.tables_below import tables_below
from records.first_of import first_of

FEWEST = 2  # images per class of names that have it
LETTERS = r"([^/]*[^/\W\d_])[-_ ().\d]*[.][a-zA-Z]+"  # up to the last letter before the ending


def ways_to_classes(root: Path, images: Sequence[Path]) -> list[str]:
    """Sentences on where the classes of `images`, paths below the root, may be found.

    >>> deep = [Path(f"set/images/{kind}/{k}.png") for kind in ("cat", "dog") for k in range(2)]
    >>> ways_to_classes(Path("/mine"), deep)
    ['if its folders (cat, dog) are the classes: data.root=/mine/set/images']
    >>> flat = [Path(f"{kind}_{k}.png") for kind in ("cat", "dog") for k in range(2)]
    >>> ways_to_classes(Path("/mine"), flat)[0][:60]
    'if the names of the files have the class (`cat_0.png` is `ca'
    """
    ways = []
    if images:
        above = Path(os.path.commonpath([path.parent for path in images]))
        depth = len(above.parts)
        inner = sorted({path.parts[depth] for path in images if len(path.parts) > depth + 1})
        if not inner:
            ways += _names_of_files(images)
        elif depth and len(inner) > 1 and (are := _what_they_are(inner, images, depth)):
            own_root = setting("data.root", root / above)
            ways.append(f"if its folders ({first_of(inner)}) {are}: {own_root}")
    if root.is_dir() and (tables := tables_below(root)):
        ways.append(f"if a table has the labels: {tables}")
    return ways


def _what_they_are(names: Sequence[str], images: Sequence[Path], depth: int) -> str:
    """What folders may be; '' for parts of a set without folders in them."""
    if not are_parts(names) and not are_pieces(names):
        return "are the classes"
    is_deep = all(len(path.parts) > depth + 2 for path in images)
    return "have the classes in them" if is_deep else ""


def _names_of_files(images: Sequence[Path]) -> list[str]:
    """The pattern of classes in the names of files, where every class has some of them."""
    labels = [label_in_path(LETTERS, path.as_posix()) for path in images]
    count = Counter(labels)
    if None in count or len(count) < 2 or min(count.values()) < FEWEST:
        return []
    return [
        f"if the names of the files have the class (`{images[0].name}` is `{labels[0]}`, "
        f"one of {len(count)}): {setting('data.reader.label_pattern', LETTERS)}"
    ]
