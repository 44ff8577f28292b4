"""What to do if a user's own images have fewer than two classes."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from datamodules.readers.no_classes import are_pieces
from datamodules.readers.path_patterns import label_in_path
from datamodules.readers.setting import setting
from datamodules.readers.tables_below import tables_below
from records.first_of import first_of

FEWEST = 2  # images per class of names that have it
LETTERS = "([^/]*[a-zA-Z])[^/a-zA-Z]*[.][a-zA-Z]+"  # up to the last letter before the ending


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
        if depth and len(inner) > 1 and not are_pieces(inner):
            ways.append(
                f"if its folders ({first_of(inner)}) are the classes: "
                f"{setting('data.root', root / above)}"
            )
        labels = [label_in_path(LETTERS, path.as_posix()) for path in images]
        count = Counter(labels)
        if not inner and None not in count and len(count) > 1 and min(count.values()) >= FEWEST:
            ways.append(
                f"if the names of the files have the class (`{images[0].name}` is `{labels[0]}`, "
                f"one of {len(count)}): {setting('data.reader.label_pattern', LETTERS)}"
            )
    if root.is_dir() and (tables := tables_below(root)):
        ways.append(f"if a table has the labels: {tables}")
    return ways
