"""Robust accuracy of 1-NN by simulation, and the theorem's bound on its mean.

Reading it: `holds` where the 95 % interval of the mean over training sets reaches `promised`, and
blank for fewer than three training sets, which have none; a bound of 0 promises nothing.
`n for 99 %` is 37 ceil(1/delta)^d.
"""

from pandas import DataFrame

from analysis.robust_cells import simulated
from metrics.functional.nearest_neighbour_bound import (
    nearest_neighbour_bound,
    nearest_neighbour_samples,
)

source = "Prach & Lampert 2025, Theorem 2"
requires = ("data/nn_accuracy",)
experiment = "prach2025/bound"


def build(runs: DataFrame) -> DataFrame:
    """One row per dimension and n."""
    table = simulated(runs)
    cells = list(zip(table.delta, table.dimension, table.n, strict=True))
    table["promised"] = [nearest_neighbour_bound(delta, int(d), int(n)) for delta, d, n in cells]
    table["n for 99 %"] = [nearest_neighbour_samples(delta, int(d)) for delta, d, _ in cells]
    table["holds"] = ["yes" if ok else "no" for ok in table.robust_high >= table.promised]
    table.loc[table.half.isna(), "holds"] = ""
    return table.drop(columns="half")
