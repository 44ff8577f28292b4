"""How many labelled images half the present loss would need, by the fitted law.

Reading it: log10 of n, by law A of each network; read the interval before the value. The exponent
is d, so ten per cent in K_F is a factor of 3 to 6 in n. Real losses fall faster than the law, an
upper bound, says: a pessimistic plan. Uncertainty is that of the intercept (over data sets), d,
K_F and the scatter of single runs about the law.
"""

import math

from pandas import DataFrame, Series

from analysis.exhibits import NotEnoughError
from analysis.grid import cells, trained_view
from analysis.laws import SHARPNESS, fit_law
from analysis.names import DATA, MODELS, ordered
from metrics.functional.estimate import Estimate
from metrics.functional.required_samples import required_samples

source = "Konz & Mazurowski 2024, Discussion"
requires = ("data/d_mle", SHARPNESS, "test/loss")
experiment = "konz2024/generalization"


def build(runs: DataFrame) -> DataFrame:
    """One row per network and data set, at its largest n."""
    view = trained_view(runs).copy()
    ends = [f"{c}_{end}" for c in requires[:2] for end in ("low", "high")]
    for column in ends:  # runs without an interval are taken as exact
        exact = view[column.rpartition("_")[0]]
        view[column] = view[column].fillna(exact) if column in view else exact
    points = cells(view, [*requires, *ends])
    rows = []
    for model in ordered(points.model, MODELS):
        mine = points[points.model == model]
        if len(mine) < 2:
            continue
        fit = fit_law(mine, "data/d_mle", with_sharpness=True)
        for data in ordered(mine.data, DATA):
            last = mine[mine.data == data].sort_values("n").iloc[-1]
            target = last["test/loss"] / 2
            if not (math.isfinite(target) and target > 0):
                continue
            needed = required_samples(
                target,
                fit.intercept,
                _estimate(last, "data/d_mle"),
                _estimate(last, SHARPNESS),
                scatter=fit.deviation,
            ).log10_samples
            row = {"model": model, "data": data, "n": int(last.n), "loss": last["test/loss"]}
            low, high = needed.low, needed.high
            rows.append(
                row
                | {"target loss": target, "log10_n": needed.value}
                | {"log10_n_low": low, "log10_n_high": high}
            )
    if not rows:
        raise NotEnoughError("no network has 2 points with loss, d and K_F")
    return DataFrame(rows)


def _estimate(cell: Series, column: str) -> Estimate:
    return Estimate(cell[column], cell[f"{column}_low"], cell[f"{column}_high"])
