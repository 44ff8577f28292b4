"""Share of networks whose representation has no larger dimension than their data.

Reading it: Theorem 5 expects 1. The paper gives no number. The interval is over data sets;
there is none with fewer than four of them.
"""

import torch
from pandas import DataFrame

from analysis.grid import cells, trained_view
from analysis.laws import fraction
from analysis.names import MODELS, ordered

source = "Konz & Mazurowski 2024, Theorem 5"
requires = ("data/d_mle", "train/d_repr_mle")
experiment = "konz2024/generalization"


def build(runs: DataFrame) -> DataFrame:
    """One row per network and estimator, and one for all networks together."""
    rows = []
    for estimator in ("mle", "twonn"):
        x, y = f"data/d_{estimator}", f"train/d_repr_{estimator}"
        if not {x, y} <= set(runs.columns):
            continue
        points = cells(trained_view(runs), [x, y])
        for model in [*ordered(points.model, MODELS), "all"]:
            mine = points if model == "all" else points[points.model == model]
            if mine.empty:
                continue
            hits = torch.tensor((mine[y] <= mine[x]).to_numpy())
            estimate = fraction(mine, hits)
            row = {"model": model, "estimator": estimator, "points": len(mine)}
            ends = {
                "share": estimate.value,
                "share_low": estimate.low,
                "share_high": estimate.high,
            }
            rows.append(row | {"data sets": mine.data.nunique()} | ends)
    return DataFrame(rows)
