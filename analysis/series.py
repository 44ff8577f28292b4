"""What was measured on the way, from `metrics.csv` and `arrays/` of the runs' folders."""

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas import DataFrame


def series(runs: DataFrame, name: str) -> DataFrame:
    """Every measurement of one quantity: the rows of `runs`, one per measurement.

    Args:
        runs: rows of the tidy table.
        name: of the quantity: "geometry/velocity".

    Returns:
        All columns of `runs`, with epoch, step and value; empty where it was never measured.
    """
    parts = []
    for path, key in zip(runs.path, runs.key, strict=True):
        file = Path(path) / "metrics.csv"
        if file.exists():
            try:
                measured = pd.read_csv(file)
            except pd.errors.EmptyDataError:  # begun, and nothing written yet
                continue
            wanted = measured.loc[measured.name == name, ["epoch", "step", "value"]]
            parts.append(wanted.assign(key=key))
    columns = ["epoch", "step", "value", "key"]
    measured = pd.concat(parts, ignore_index=True) if parts else DataFrame(columns=columns)
    return runs.merge(measured, on="key").sort_values(["key", "step"], ignore_index=True)


def arrays(path: str, name: str) -> dict[int, NDArray[np.float64]]:
    """An array as it was at every epoch it was kept, in one run's folder.

    Args:
        path: of the run folder.
        name: of the array: "test/singular_values".
    """
    kept = {}
    for file in (Path(path) / "arrays").glob(f"{name.replace('/', '_')}@*.npz"):
        try:
            with np.load(file, allow_pickle=False) as content:
                (values,) = content.values()
            kept[int(file.stem.rpartition("@")[2])] = np.asarray(values, dtype=np.float64)
        except Exception as error:  # a damaged archive raises whatever it was damaged into
            raise ValueError(f"{file}: is no array of a run ({error}); remove it") from error
    return dict(sorted(kept.items()))
