"""The law of the test loss: it grows with d, and K_F belongs in it."""

from collections.abc import Callable
from functools import partial

import numpy as np
from pandas import DataFrame

from analysis.claim import Cell, Claim, Evidence, Range
from analysis.exhibits import NotEnoughError
from analysis.grid import cells, trained_view
from analysis.laws import SHARPNESS, fit_law, tensors, usable
from analysis.names import model_name
from metrics.functional.correlation import correlation
from metrics.functional.estimate import Estimate
from metrics.functional.likelihood_ratio import likelihood_ratio

Statistic = Callable[[DataFrame, float], Estimate | None]  # of points and a confidence


def by_network(runs: DataFrame, columns: list[str], statistic: Statistic) -> Evidence:
    """A statistic over the points (data set and n) of every network, its interval over data sets.

    Raises:
        NotEnoughError: No network has the statistic.
    """
    if lacking := [name for name in columns if name not in runs]:
        raise NotEnoughError(f"no finished run has {', '.join(lacking)}")
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


def gain_of_sharpness(points: DataFrame, confidence: float) -> Estimate:
    """Log likelihood ratio of the law with K_F against the one without."""
    a, b = fit_law(points, "data/d_mle", with_sharpness=True), fit_law(points, "data/d_mle")
    return likelihood_ratio(a, b, list(points.data), confidence).estimated


DATA, REPRESENTATION = "data/d_mle", "train/d_repr_twonn"
CLAIMS = (
    Claim(
        name="loss_grows_with_d_data",
        statement="Within a domain, the test loss grows with the dimension d_data of the set.",
        source="Konz & Mazurowski 2024, Fig. 2, Eq. 4",
        statistic="r of log loss (about its mean at each n) and d (MLE), domains adjusted",
        claimed=Range(low=0),
        experiment="konz2024/real_sets",
        decide=partial(
            by_network,
            columns=["test/loss", DATA],
            statistic=partial(loss_with, dimension=DATA),
        ),
    ),
    Claim(
        name="k_f_in_the_law",
        statement="K_F improves the law log L = -(log n)/d + log K_F + a over the law without it.",
        source="Konz & Mazurowski 2024, Table 2, Eqs. 24 to 26",
        statistic="log likelihood ratio with estimated variance, in every network",
        claimed=Range(low=0),
        experiment="konz2024/real_sets",
        decide=partial(
            by_network, columns=["test/loss", DATA, SHARPNESS], statistic=gain_of_sharpness
        ),
        published="positive in all six networks",
    ),
    Claim(
        name="loss_grows_with_d_repr",
        statement="Within a domain, the test loss grows with the dimension of the representation.",
        source="Konz & Mazurowski 2024, Fig. 4",
        statistic="r of log loss (about its mean at each n) and d_repr (TwoNN), domains adjusted",
        claimed=Range(low=0),
        experiment="konz2024/real_sets",
        decide=partial(
            by_network,
            columns=["test/loss", REPRESENTATION],
            statistic=partial(loss_with, dimension=REPRESENTATION),
        ),
    ),
)
