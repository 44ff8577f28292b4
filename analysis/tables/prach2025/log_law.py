"""What a doubling of the training images adds, for every network.

Reading it: the slope of accuracy and of CRA at 36/255 on log2 n, with the R^2 of the straight line
that the paper finds. Near 1 with many sizes: the law holds. Where a curve saturates or has not
begun the slope is too small.
"""

import numpy as np
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.log_lines import CRA, of_experiment
from analysis.over_seeds import over_seeds

source = "Prach & Lampert 2025, Figs. 1 and 2"
requires = ("test/accuracy",)
experiment = "prach2025/data_scaling"


def build(runs: DataFrame) -> DataFrame:
    """One row per network, data set and quantity."""
    rows = []
    for (model, data), part in of_experiment(runs, "data_scaling").groupby(["model", "data"]):
        for quantity in ("accuracy", CRA):
            points = over_seeds(part, ["n"], f"test/{quantity}")
            if len(points) < 3:
                continue
            x, y = np.log2(points.n), points["mean"]
            slope, level = np.polyfit(x, y, 1)
            left = float(
                ((y - level - slope * x) ** 2).sum() / max(((y - y.mean()) ** 2).sum(), 1e-12)
            )
            rows.append({"model": model, "data": data, "quantity": quantity, "sizes": len(points),
                         "per doubling": slope, "R2": 1 - left, "smallest n": points.n.min(),
                         "there": y.iloc[0], "largest n": points.n.max(),
                         "at it": y.iloc[-1]})  # fmt: skip
    if not rows:
        raise NotEnoughError("no network was trained at three sizes")
    return DataFrame(rows)
