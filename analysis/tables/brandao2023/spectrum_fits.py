"""Lognormal fits of every mode at overfit, with the power law and the mixture as alternatives.

Reading it: means over seeds. `R2` is of the probability plot of log sigma, `R2 linear` of sigma
itself; both are weak evidence. `KS` is the largest gap between the distributions. `alpha` is of the
power law that fits the upper tail best, `tail` the share of values in it. A lognormal tail contains
the power law as its limit, so `log R` of the power law against it is at most 0. Neither has a p:
values of one image are not independent, and a p that takes them so is too small. `mixture weight`
is of the mode in a mixture of two lognormals, without a cut, and `BIC gain` what that mixture gains
over one lognormal for the whole spectrum.
"""

import math
from collections.abc import Iterator

import pandas as pd
from pandas import DataFrame, Series
from torch import Tensor

from analysis.exhibits import NotEnoughError
from analysis.spectra import KINDS, moments, networks, with_noise
from metrics.functional.compare_fits import compare_fits
from metrics.functional.fit_lognormal_tail import fit_lognormal_tail
from metrics.functional.fit_mixture import fit_mixture
from metrics.functional.fit_modes import fit_modes
from metrics.functional.fit_power_law import fit_power_law

source = "Brandao et al. 2023, R^2 over the probability plots"
requires = ("train/log_spectrum_mean",)
experiment = "brandao2023/label_noise"
BY = ["data", "model", "kind", "level", "images", "mode"]


def build(runs: DataFrame) -> DataFrame:
    """One row per data set, network, level of noise, split and mode."""
    mine = with_noise(runs)
    mine = mine[mine.kind.isin(KINDS)]
    rows = [row for _, run in mine.iterrows() for row in _fits(run)]
    if not rows:
        raise NotEnoughError("no run kept its singular values")
    table = DataFrame(rows)
    grouped = table.groupby(BY, sort=False)
    means = grouped.mean(numeric_only=True)
    joined = pd.concat([grouped.size().rename("runs"), means], axis=1).reset_index()
    order = {model: place for place, model in enumerate(networks(mine))}
    keys = [joined.data, joined.kind, joined.model.map(order), joined.level, joined.images]
    return joined.iloc[pd.concat(keys, axis=1).apply(tuple, axis=1).argsort(kind="stable")]


def one_law_bic(log_sigma: Tensor) -> float:
    """Bayesian information criterion of a single lognormal law, two parameters."""
    n, s = len(log_sigma), float(log_sigma.std(correction=0))
    return 2 * math.log(n) + n * (math.log(2 * math.pi * s**2) + 1)


def _fits(run: Series) -> Iterator[dict[str, object]]:
    for stage in ("train", "test"):
        for moment in moments(run, stage, last=True):
            split = moment.spectrum.split
            mixture = fit_mixture(moment.spectrum.log_sigma)
            weights = dict(zip(("left", "right"), mixture.weights.tolist(), strict=True))
            gain = one_law_bic(moment.spectrum.log_sigma) - mixture.bic
            for mode, fit in fit_modes(split).items():
                sigma = split.modes[mode].exp()
                power = fit_power_law(sigma, candidates=100)
                tail = sigma[sigma >= power.x_min]
                lognormal = fit_lognormal_tail(sigma, power.x_min)
                ratio = compare_fits(tail, power, lognormal, nested=True)
                yield {
                    "data": run.data, "model": run.model, "kind": run.kind, "level": run.level,
                    "images": stage, "mode": mode or "whole", "values": fit.n,
                    "mu": fit.mu, "s": fit.s, "R2": fit.r_squared,
                    "R2 linear": fit.r_squared_linear, "KS": fit.normality and fit.normality.ks,
                    "mixture weight": weights.get(mode), "BIC gain": gain,
                    "alpha": power.alpha, "tail": power.tail / power.n,
                    "log R": ratio.ratio,
                }  # fmt: skip
