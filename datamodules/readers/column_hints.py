"""Which columns of a table are paths, labels and groups, by their content."""

from pathlib import Path

import pandas as pd

from datamodules.readers.folder_item import IMAGES
from datamodules.readers.group_names import names_groups
from datamodules.readers.image_paths import ImagePaths, is_file

SAMPLE = 200  # rows that are looked at


def likely_columns(table: pd.DataFrame, root: Path) -> dict[str, str]:
    """Likely columns by their part: `path` names files, `label` has the fewest different values.

    A `group` is suggested only by its name: a column of ages has repeated values too.

    >>> rows = {"PatientID": list("pqr"), "Finding": list("aab"), "Filename": ["1.png"] * 3}
    >>> likely_columns(pd.DataFrame(rows), Path("/nowhere"))
    {'path': 'Filename', 'label': 'Finding', 'group': 'PatientID'}
    """
    found = {}
    head = table.head(SAMPLE).fillna("").astype(str)
    below = ImagePaths(root)
    files = {str(name): _files(head[name], below) for name in table.columns}
    path = max(files, key=lambda name: files[name], default="")
    if path and max(files[path]) > 0:
        found["path"] = path
    values = {str(name): int(table[name].nunique()) for name in table.columns if name != path}
    groups = [name for name in values if names_groups(name)]
    labels = {name: (count < 2, count) for name, count in values.items() if name not in groups}
    if labels:  # a column of one value is no label, unless there is no other
        found["label"] = min(labels, key=lambda name: labels[name])
    if groups:
        found["group"] = groups[0]
    return found


def _files(column: pd.Series, below: ImagePaths) -> tuple[int, int]:
    """How many files below the root the values are, and how many values end like images.

    Files, not values: classes such as 0 and 1 may be names of files too.
    """
    paths = below.find_all(value.strip() for value in column)
    exists = sum(bool(path) and is_file(below.root / path) for path in set(paths))
    return exists, sum(path.lower().endswith(IMAGES) for path in paths)
