"""The generalisation law of intrinsic dimension and label sharpness, fitted to measured losses."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.checks import check_column
from metrics.functional.cluster_mean import cluster_mean
from metrics.functional.clusters import Labels, clusters_of
from metrics.functional.estimate import Estimate


@dataclass(frozen=True)
class ScalingLawFit:
    """One law fitted to all records of an architecture."""

    intercept: Estimate  # a, or b without sharpness
    offset: Tensor  # (records,) log L + log N / d - log K_F, NaN where a record was not usable
    with_sharpness: bool  # True: model A (Eq. 24), False: model B (Eq. 25)

    @property
    def used(self) -> Tensor:
        """(records,) bool: usable records."""
        return ~self.offset.isnan()

    @property
    def dropped(self) -> int:
        """Records with a loss, size, dimension or sharpness that has no finite logarithm."""
        return int(self.offset.isnan().sum())

    @property
    def points(self) -> int:
        """Records fitted."""
        return len(self.offset) - self.dropped

    @property
    def residual(self) -> Tensor:
        """(points,) log L minus the law."""
        return self.offset[self.used] - self.intercept.value

    @property
    def rss(self) -> float:
        """Residual sum of squares."""
        return float(self.residual.square().sum())

    @property
    def deviation(self) -> float:
        """Scatter of log L about the law (maximum likelihood)."""
        return math.sqrt(self.rss / self.points)

    def log_likelihood(self) -> float:
        """Gaussian, over all points, with the estimated scatter."""
        return -self.points / 2 * (math.log(2 * math.pi * self.rss / self.points) + 1)

    def aic(self) -> float:
        """Akaike: 2 k - 2 log likelihood, with k = 2 parameters, intercept and scatter."""
        return 4 - 2 * self.log_likelihood()

    def bic(self) -> float:
        """Schwarz: k log(points) - 2 log likelihood."""
        return 2 * math.log(self.points) - 2 * self.log_likelihood()

    def predict(self, n: Tensor, dimension: Tensor, sharpness: Tensor | None = None) -> Tensor:
        """Predicted log L."""
        if self.with_sharpness != (sharpness is not None):
            raise ValueError("give sharpness exactly when the law was fitted with it")
        law = self.intercept.value - n.double().log() / dimension.double()
        return law if sharpness is None else law + sharpness.double().log()

    def scalars(self) -> dict[str, float]:
        """Loggable numbers."""
        return {
            "intercept": self.intercept.value,
            "intercept_low": self.intercept.low,
            "intercept_high": self.intercept.high,
            "deviation": self.deviation,
            "log_likelihood": self.log_likelihood(),
            "aic": self.aic(),
            "bic": self.bic(),
            "points": float(self.points),
            "dropped": float(self.dropped),
        }


def fit_scaling_law(
    loss: Tensor,
    n: Tensor,
    dimension: Tensor,
    sharpness: Tensor | None = None,
    groups: Labels | None = None,
) -> ScalingLawFit:
    """Fit the one free parameter of the law, in closed form.

        A:  log L = -(log N) / d + log K_F + a        (Konz & Mazurowski 2024, Eqs. 2, 24)
        B:  log L = -(log N) / d + b                  (Eq. 25; Eq. 4 with d = d_repr)
        a = mean(log L + log N / d - log K_F)

    Reading it: only the level is fitted; the slope 1/d and the weight of K_F come from the theory.
    A `deviation` of 0.7 means that single runs lie a factor of two from the law. Compare A and B by
    `likelihood_ratio`, and fits only in the same unit of K_F (pixel range, image size).

    Args:
        loss: (records,) test loss L.
        n: (records,) training set size N.
        dimension: (records,) intrinsic dimension d of the data, or of the representation.
        sharpness: (records,) label sharpness K_F for model A; None for model B.
        groups: (records,) data set of each record. The interval of the intercept is over data sets
            (`cluster_mean`), because records of one data set are not independent. There is none
            with fewer than 4 of them.

    Records without finite logarithms (loss 0, diverged, K_F infinite) are left out and counted in
    `dropped`.

    Example:
        >>> n, d = torch.tensor([2.0**10, 2.0**20]), torch.tensor([10.0, 10.0])
        >>> fit = fit_scaling_law(torch.tensor([1.0, 1.0]), n, d)   # log2 offsets 1 and 2
        >>> round(fit.intercept.value / math.log(2), 6), round(fit.rss / math.log(2) ** 2, 6)
        (1.5, 0.5)
    """
    given = {"loss": loss, "n": n, "dimension": dimension, "sharpness": sharpness}
    columns = [
        check_column(name, column, len(check_column("loss", loss))).double()
        for name, column in given.items()
        if name != "sharpness" or column is not None
    ]
    offset = columns[0].log() + columns[1].log() / columns[2]
    if sharpness is not None:
        offset = offset - columns[3].log()
    usable = torch.stack([column.isfinite() & (column > 0) for column in columns]).all(0)
    offset = offset.where(usable, math.nan)
    if int(usable.sum()) < 2:
        raise ValueError(
            f"{int(usable.sum())} of {len(loss)} records are usable, a fit needs 2; "
            "loss, n, dimension and sharpness must be positive and finite"
        )
    clusters = clusters_of(groups, len(loss)).subset(usable)
    kept = offset[usable]
    return ScalingLawFit(cluster_mean(kept, clusters), offset, with_sharpness=sharpness is not None)
