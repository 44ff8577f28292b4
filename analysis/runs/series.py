"""Measurements during training: single quantities, and the arrays of a run."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from records.archive import archived_run
from records.array_file import ArrayFile

if TYPE_CHECKING:  # the end of a run reads arrays here, and needs no tables
    from pandas import DataFrame

MOST = 2**28  # bytes of one array; spectra of 10,000 images take 1 million


def series(runs: "DataFrame", name: str) -> "DataFrame":
    """Every measurement of a quantity on the same images: the row of its run, epoch, step, value.

    The column with the quantity's name, "geometry/velocity", has the values measured. Empty where
    it was never measured.
    """
    courses = [own.course() for own in runs.curves]
    found = [(place, own.name == name, own) for place, own in enumerate(courses)]
    measured = {
        {"value": name}.get(column, column): np.concatenate(
            [vars(own)[column][mask] for _, mask, own in found] or [[]]
        )
        for column in ("epoch", "step", "value")
    }
    rows = np.repeat([place for place, _, _ in found], [int(mask.sum()) for _, mask, _ in found])
    table = runs.iloc[rows.astype(int)].assign(**measured)
    return table.sort_values(["key", "step"], ignore_index=True)


def arrays(path: Path, name: str) -> dict[int, NDArray[np.float64]]:
    """An array ("test/singular_values") by epoch, from a run folder or an archive."""
    own = name.replace("/", "_")
    if inside := archived_run(path):
        return {
            epoch: values.astype(np.float64)
            for (stem, epoch), values in inside.arrays.items()
            if stem == own
        }
    kept = {}
    for file in (path / "arrays").glob(f"{own}@*.npz"):
        try:
            content = ArrayFile(file)
            (only,) = content.names
            values = content.read(only, MOST)
            kept[int(file.stem.rpartition("@")[2])] = np.asarray(values, dtype=np.float64)
        except Exception as error:  # a damaged archive can raise anything
            raise ValueError(f"{file}: is no array of a run ({error}); remove it") from error
    return dict(sorted(kept.items()))
