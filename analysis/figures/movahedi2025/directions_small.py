"""Test accuracy against direction, for a network no larger than its data set.

Reading it: as for the larger networks; the fall with the index is not a matter of more parameters
than examples. One line per
data set: images along the eigenvectors of G_F S G_F, isotropic data along those of G_F.
"""

import pandas as pd
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.direction_curves import panels_by_kind, with_directions
from analysis.exhibits import NotEnoughError

source = "Movahedi et al. 2025, Fig. 11"
requires = ("test/accuracy",)
experiment = "movahedi2025/isotropic_small"
SETS = (
    ("directions_small", "task", "CIFAR-10, of $G_F S G_F$"),
    ("isotropic_small", "data.law", "isotropic, of $G_F$"),
)


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per kind of label, one line per data set."""
    parts = []
    for experiment, where, data in SETS:
        try:
            mine = with_directions(runs_of(runs, experiment), where)
        except NotEnoughError:
            continue
        parts.append(mine.assign(images=data))
    if not parts:
        raise NotEnoughError("no finished run is of isotropic_small or directions_small")
    return panels_by_kind(pd.concat(parts, ignore_index=True), "images", "", "eigenvector")
