"""Tables that take minutes to gather (headers, segmentations, 50 MB of Excel), gathered once."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from datamodules.identity import digest
from records.atomic import replacing


def cached_table(
    folder: str | None, name: str, identity: object, make: Callable[[], pd.DataFrame]
) -> pd.DataFrame:
    """What `make()` gives, kept on disk as csv; every value is text.

    Args:
        folder: where to keep it (`${paths.cache}/index`); None keeps nothing.
        name: of the table, the first part of its file name.
        identity: everything the table depends on; another identity is another file.
        make: gathers it.
    """
    path = None if folder is None else Path(folder).expanduser() / f"{name}-{digest(identity)}.csv"
    if path is None or not path.exists():
        table = make().astype(str)
        if path is None:
            return table
        with replacing(path) as temporary:
            table.to_csv(temporary, index=False)
    return pd.read_csv(path, dtype=str, keep_default_na=False)
