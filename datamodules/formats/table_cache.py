"""Cache of tables that take minutes to build (headers, segmentations, 50 MB of Excel)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from records.cached import cached_json


def cached_table(
    folder: str | None, name: str, identity: object, make: Callable[[], pd.DataFrame]
) -> pd.DataFrame:
    """The result of `make()`, cached in `folder` unless that is None; every value is text.

    `identity` is everything the table depends on, in plain containers: another identity is another
    file. One process builds and writes; others that need the same table wait for it.
    """

    def compute() -> dict[str, Any]:
        return {str(column): values.tolist() for column, values in make().astype(str).items()}

    place = None if folder is None else Path(folder).expanduser()
    return pd.DataFrame(cached_json(place, {"table": name, "of": identity}, compute), dtype=str)
