"""Which columns of a table are paths, labels and groups, by their content and names."""

import re
from pathlib import Path

import pandas as pd

from datamodules.readers.folder_item import IMAGES
from datamodules.readers.group_names import PROPERTIES, names_groups
from datamodules.readers.image_paths import ImagePaths

SAMPLE = 200  # rows that are looked at
# words of names of labels, the more telling first; `dx_type` and `view position` have none or more
LABELS = (
    "label|labels|class|diagnosis|diagnoses|dx|target|category|species|breed",
    "finding|findings|grade|level|severity|stage|disease|pathology|condition|y",
)
NO_LABELS = re.compile("type|id|no|number|index|#", re.IGNORECASE)
FOLLOWS = re.compile("follow|unnamed", re.IGNORECASE)  # `Follow-up #`, columns without a name


def likely_columns(table: pd.DataFrame, root: Path) -> dict[str, str]:
    """Likely columns by their part: `path` names files, `label` has the name of labels.

    If no name is of labels, it is the column with the fewest different values that is no property
    of a patient. A `group` is suggested only by its name: a column of ages has repeated values too.

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
    others = [name for name in values if name not in groups]
    # one value, or another in each row, is no label, unless there is no other column
    labels = [name for name in others if 1 < values[name] < len(table)] or (
        others if len(others) == 1 else []
    )
    if labels:
        found["label"] = min(labels, key=lambda name: (_rank(name), values[name]))
    if groups:
        found["group"] = groups[0]
    return found


def _rank(name: str) -> int:
    """How unlikely a column is to have the labels, by its name.

    >>> [_rank(name) for name in ("dx", "Finding Labels", "level", "MEL", "sex", "dx_type")]
    [0, 0, 1, 2, 3, 3]
    """
    words = re.findall("[A-Z]?[a-z]+|[A-Z]+|#", name)
    if FOLLOWS.match(name) or any(map(NO_LABELS.fullmatch, words)):
        return len(LABELS) + 1
    for rank, of_labels in enumerate(LABELS):
        if any(re.fullmatch(of_labels, word, re.IGNORECASE) for word in words):
            return rank
    return len(LABELS) + bool(any(map(PROPERTIES.fullmatch, words)))


def _files(column: pd.Series, below: ImagePaths) -> tuple[int, int]:
    """How many values name images below the root, in any folder, and how many end like images.

    Different values: classes such as 0 and 1 may be names of files too.
    """
    paths = {value.strip() for value in column}
    return sum(map(below.names_images, paths)), sum(path.lower().endswith(IMAGES) for path in paths)
