"""The law of the test loss: it grows with d, and K_F belongs in it."""

from collections.abc import Callable
from functools import partial

import numpy as np
from pandas import DataFrame

from analysis.claim import Cell, Evidence
from analysis.exhibits import NotEnoughError, need_columns
from analysis.printing.names import model_name
from analysis.statistics.grid import cells, trained_view
from analysis.statistics.laws import SHARPNESS, fit_law, tensors, usable
from metrics.functional.correlation import correlation
from metrics.functional.estimate import Estimate
from metrics.functional.likelihood_ratio import likelihood_ratio

Statistic = Callable[[DataFrame, float], Estimate | None]  # of points and a confidence


def by_network(runs: DataFrame, columns: list[str], statistic: Statistic) -> Evidence:
    """A statistic over the points (data set and n) of every network, over data sets."""
    need_columns(runs, columns)
    view = trained_view(runs)
    points = cells(view, columns)
    found = {}
    for model, part in points.groupby("model"):
        try:
            if statistic(part, 0.95) is not None:
                found[model_name(str(model))] = Cell(
                    partial(_always, statistic, part), int(part.data.nunique())
                )
        except ValueError:  # too few points, or values that do not vary
            continue
    if not found:
        raise NotEnoughError("no network has points enough that differ")
    return Evidence(found, "data set", view.dropna(subset=columns))


def _always(statistic: Statistic, points: DataFrame, confidence: float) -> Estimate:
    estimate = statistic(points, confidence)
    assert estimate is not None
    return estimate


def loss_with(points: DataFrame, confidence: float, dimension: str) -> Estimate | None:
    """Correlation of log loss, about its mean at every n, with a dimension; domains adjusted."""
    kept = usable(points, ["test/loss", dimension])
    log_loss = np.log(kept["test/loss"])
    kept = kept.assign(y=log_loss - log_loss.groupby(kept.n).transform("mean"))
    x, y = tensors(kept, dimension, "y")
    found = correlation(x, y, list(kept.data), list(kept.domain), confidence)
    return found.partial


def loss_with_dimension(runs: DataFrame, dimension: str) -> Evidence:
    """`loss_with` in every network."""
    statistic = partial(loss_with, dimension=dimension)
    return by_network(runs, ["test/loss", dimension], statistic)


def sharpness_in_the_law(runs: DataFrame) -> Evidence:
    """`gain_of_sharpness` in every network."""
    return by_network(runs, ["test/loss", "data/d_mle", SHARPNESS], gain_of_sharpness)


def gain_of_sharpness(points: DataFrame, confidence: float) -> Estimate:
    """Log likelihood ratio of the law with K_F against the one without."""
    a, b = fit_law(points, "data/d_mle", with_sharpness=True), fit_law(points, "data/d_mle")
    return likelihood_ratio(a, b, list(points.data), confidence).estimated
