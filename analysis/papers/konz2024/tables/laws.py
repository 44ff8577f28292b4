"""Fits of the scaling laws."""

import math

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.printing.names import DATA, in_order, networks_of, ordered
from analysis.published import published
from analysis.statistics.grid import CELL, VIEW, cells, most_common_recipe, trained, trained_view
from analysis.statistics.laws import SHARPNESS, columns_of, fit_law, interval_over, left_out
from metrics.functional.estimate import Estimate
from metrics.functional.likelihood_ratio import likelihood_ratio
from metrics.functional.required_samples import required_samples

# name: dimension, with sharpness
LAWS = {
    "A": ("data/d_mle", True),
    "B": ("data/d_mle", False),
    "repr (TwoNN)": ("train/d_repr_twonn", False),
    "repr (MLE)": ("train/d_repr_mle", False),
}


def laws(runs: DataFrame) -> DataFrame:
    """One row per network and law; a note where there is nothing to fit."""
    view = trained_view(runs)
    rows = []
    for model in networks_of(view):
        for law, (dimension, sharp) in LAWS.items():
            columns = ["test/loss", dimension, *([SHARPNESS] if sharp else [])]
            if not set(columns) <= set(view.columns):
                continue
            runs_of = view[view.model == model]
            mine = cells(runs_of, columns)
            if len(mine) < 2:
                continue
            row = {"model": model, "law": law, "runs left out": left_out(runs_of, columns)}
            try:
                fit = fit_law(mine, dimension, sharp).scalars()
                rows.append(row | fit | {"interval over": interval_over(mine, columns)})
            except ValueError as error:  # losses of 0
                rows.append(row | {"points": 0, "note": str(error)})
    if not any("intercept" in row for row in rows):
        raise NotEnoughError("no network has 2 points with loss and dimension")
    return DataFrame(rows)


PREDICTORS = ("data/d_mle", SHARPNESS, "test/loss")


def likelihood(runs: DataFrame) -> DataFrame:
    """One row per network; a note where the comparison cannot be made."""
    view = trained_view(runs)
    points = cells(view, list(PREDICTORS))
    rows = []
    for model in networks_of(points):
        mine = points[points.model == model]
        known = published("log_r", model=model).value
        row = {"model": model, "log_r published": known.item() if len(known) else None}
        row["runs left out"] = left_out(view[view.model == model], list(PREDICTORS))
        try:
            rows.append(
                row | _comparison(mine) | {"interval over": interval_over(mine, PREDICTORS)}
            )
        except ValueError as error:  # too few points, or a law that fits them exactly
            rows.append(row | {"points": len(mine), "note": str(error)})
    if not any("log_r" in row for row in rows):
        raise NotEnoughError("no network has points enough with loss, d and K_F to compare laws")
    return DataFrame(rows)


def _comparison(points: DataFrame) -> dict[str, float]:
    a, b = fit_law(points, "data/d_mle", with_sharpness=True), fit_law(points, "data/d_mle")
    ratio = likelihood_ratio(a, b, groups=list(points.data))
    return ratio.scalars() | {"bic_difference": b.bic() - a.bic()}


LEAST = 4  # times more images; the main grid spans 3.5


def large_n(runs: DataFrame) -> DataFrame:
    """One row per network, data set and n, against the data set's largest n; means over seeds."""
    usable = most_common_recipe(trained(runs).dropna(subset=["test/loss"]))
    rows = []
    for names, part in usable.groupby(["data", "model", *VIEW], dropna=False):
        large = int(part.n.max())
        for small in sorted(n for n in part.n.unique() if LEAST * n <= large):
            row = dict(zip(("data", "model", *VIEW), names, strict=True))
            for n, place in ((int(small), "small"), (large, "large")):
                known = published("test/loss", data=names[0], model=names[1], n=n).value
                row[f"n {place}"] = n
                row[f"loss {place}"] = part.loc[part.n == n, "test/loss"].mean()
                row[f"loss {place} published"] = known.iloc[0] if len(known) else None
            row["ratio"] = row["loss large"] / row["loss small"]
            if "data/d_mle" in part:
                row["expected"] = (small / large) ** (1 / part["data/d_mle"].mean())
            del row["images"]  # distinguishes rows, but is long
            rows.append(row)
    if not rows:
        raise NotEnoughError(f"no data set was trained on at two sizes n a factor {LEAST} apart")
    return in_order(DataFrame(rows), ["model"])


DIMENSION = ["data/d_mle", "data/d_mle_low", "data/d_mle_high"]


def samples_for_loss(runs: DataFrame) -> DataFrame:
    """One row per network and data set, at its largest n."""
    measured = ["data/d_mle", "test/loss"]
    view = trained_view(runs).dropna(subset=measured)
    view = view.reindex(columns=view.columns.union(DIMENSION, sort=False))
    ends = view.groupby(CELL)[DIMENSION[1:]].agg(lambda values: values.mean(skipna=False))
    points = cells(view, measured).drop(columns=DIMENSION[1:])
    points = points.merge(ends.reset_index(), on=CELL)
    points = points[(points["test/loss"] > 0) & (points["test/loss"] < math.inf)]
    rows = []
    for model in networks_of(points):
        mine = points[points.model == model]
        for data in ordered(mine.data, DATA):
            last = mine[mine.data == data].sort_values("n").iloc[-1]
            # with intercept 0 the law says how many times more images the ratio of losses takes
            more = required_samples(0.5, 0.0, Estimate(*last[DIMENSION]))
            row = {"model": model, "data": data, "n": int(last.n), "loss": last["test/loss"]}
            row |= {"target loss": last["test/loss"] / 2}
            reach = columns_of(more, "log10_n")
            rows.append(row | {name: math.log10(last.n) + value for name, value in reach.items()})
    if not rows:
        raise NotEnoughError("no network has a point with a positive loss and d")
    return DataFrame(rows)
