"""How many labelled images half the present loss would need, by the law.

Reading it: log10 of n, from where the network stands: log n* = log n + d log(L/L*), for level and
K_F of the law are in the loss that was measured. Read the interval before the
value: d is in the exponent. It follows from the interval of d, over new images, and is blank where
d has none; the bias of d, which is low, is not in it. Real losses fall faster than the law, an
upper bound, predicts: a pessimistic plan.
"""

import math

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.grid import CELL, cells, trained_view
from analysis.names import DATA, MODELS, ordered
from metrics.functional.estimate import Estimate
from metrics.functional.required_samples import required_samples

source = "Konz & Mazurowski 2024, Discussion"
requires = ("data/d_mle", "test/loss")
experiment = "konz2024/generalization"
DIMENSION = ["data/d_mle", "data/d_mle_low", "data/d_mle_high"]


def build(runs: DataFrame) -> DataFrame:
    """One row per network and data set, at its largest n."""
    measured = ["data/d_mle", "test/loss"]
    view = trained_view(runs).dropna(subset=measured)
    view = view.reindex(columns=view.columns.union(DIMENSION, sort=False))
    ends = view.groupby(CELL)[DIMENSION[1:]].agg(lambda values: values.mean(skipna=False))
    points = cells(view, measured).merge(ends.reset_index(), on=CELL)
    points = points[(points["test/loss"] > 0) & (points["test/loss"] < math.inf)]
    rows = []
    for model in ordered(points.model, MODELS):
        mine = points[points.model == model]
        for data in ordered(mine.data, DATA):
            last = mine[mine.data == data].sort_values("n").iloc[-1]
            # with intercept 0 the law says how many times more images the ratio of losses takes
            more = required_samples(0.5, 0.0, Estimate(*last[DIMENSION])).log10_samples
            row = {"model": model, "data": data, "n": int(last.n), "loss": last["test/loss"]}
            row |= {"target loss": last["test/loss"] / 2}
            present = math.log10(last.n)
            reach = {"": more.value, "_low": more.low, "_high": more.high}
            rows.append(row | {f"log10_n{end}": present + value for end, value in reach.items()})
    if not rows:
        raise NotEnoughError("no network has a point with a positive loss and d")
    return DataFrame(rows)
