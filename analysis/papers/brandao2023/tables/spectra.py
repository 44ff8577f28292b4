"""Spectra of point Jacobians and the accuracy on noisy labels."""

import math
from collections.abc import Iterator
from itertools import product

import pandas as pd
from pandas import DataFrame, Series
from torch import Tensor

from analysis.exhibits import NotEnoughError
from analysis.papers.brandao2023.spectra import KINDS, MEAN, cells, moments, of_kind
from analysis.printing.names import in_order
from analysis.published import published
from analysis.runs.series import series
from analysis.statistics.over_seeds import over_seeds
from metrics.functional.compare_fits import compare_fits
from metrics.functional.fit_lognormal_tail import fit_lognormal_tail
from metrics.functional.fit_mixture import fit_mixture
from metrics.functional.fit_modes import fit_modes
from metrics.functional.fit_power_law import fit_power_law
from metrics.functional.spectrum_shape import spectrum_shape

BY_MODE = ["data", "model", "kind", "level", "images", "mode"]


def spectrum_fits(runs: DataFrame) -> DataFrame:
    """One row per data set, network, level of noise, split and mode."""
    rows = [row for _, run in of_kind(runs, *KINDS).iterrows() for row in _fits(run)]
    if not rows:
        raise NotEnoughError("no run kept its singular values")
    grouped = DataFrame(rows).groupby(BY_MODE, sort=False)
    means = grouped.mean(numeric_only=True)
    means.insert(0, "runs", grouped.size())
    return in_order(means.reset_index(), ["data", "kind", "model", "level", "images"])


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


GAUGES = {"raw": MEAN, "centred": f"{MEAN}@centred"}
BY_NOISE = ["data", "model", "kind", "level"]


def spectrum_noise(runs: DataFrame) -> DataFrame:
    """One row per data set, network, kind and level of noise."""
    parts = [part for _, part in cells(of_kind(runs, *KINDS))]
    return pd.concat([_rows(part) for part in parts], ignore_index=True)


def _rows(part: DataFrame) -> DataFrame:
    epochs = part.key.map(series(part, MEAN).groupby("key").epoch.max())
    columns = {"train accuracy": "train/accuracy"}
    for gauge, column in GAUGES.items():
        if column in part:
            clean = part[part.level == part.level.min()].groupby("seed")[column].mean()
            added = (part[column] - part.seed.map(clean)).where(part.level > part.level.min())
            part = part.assign(**{f"added, {gauge}": added})
            columns |= {f"E[log sigma], {gauge}": column, f"difference, {gauge}": f"added, {gauge}"}
    table = over_seeds(part, BY_NOISE, columns | {"left mass": "train/left_mass"})
    table.insert(len(BY_NOISE), "epochs", epochs.groupby(part.level).mean().to_numpy())
    return table.assign(**{"1/C": 1 / part.classes.iloc[0]})


BANDWIDTHS = (0.5, 1.0, 2.0)  # of Silverman's
PROMINENCES = (0.02, 0.05, 0.1)


def spectrum_split(runs: DataFrame) -> DataFrame:
    """One row per data set, network and level of noise; one column per way to split."""
    rows = [row for _, run in of_kind(runs, *KINDS).iterrows() if (row := _masses(run))]
    if not rows:
        raise NotEnoughError("no run kept its singular values")
    grouped = DataFrame(rows).groupby(BY_NOISE, sort=True)
    table = grouped.mean().drop(columns=["dip", "two modes"])
    table["spread"] = table.max(axis=1) - table.min(axis=1)
    table["two modes"], table["dip"] = grouped["two modes"].mean(), grouped["dip"].min()
    table.insert(0, "runs", grouped.size())
    return table.reset_index()


def _masses(run: Series) -> dict[str, object]:
    last = moments(run, last=True)
    if not last:
        return {}
    log_sigma, usual = last[0].spectrum.log_sigma, last[0].spectrum.split
    row: dict[str, object] = {name: run[name] for name in BY_NOISE}
    row |= {"two modes": float(usual.trough is not None), "dip": usual.dip}
    for factor, prominence in product(BANDWIDTHS, PROMINENCES):
        bandwidth = factor * usual.bandwidth
        shape = spectrum_shape(log_sigma, bandwidth=bandwidth, prominence=prominence)
        row[f"h x {factor:g}, {prominence:.0%}"] = shape.left_mass
    return row


BY_LEVEL = ["data", "model", "level"]
SHOWN = {
    "train": "train/accuracy",
    "clean": "train/accuracy_clean",
    "corrupted": "train/accuracy_corrupted",
    "recovered": "train/accuracy_recovered",
    "test": "test/accuracy",
}


def label_accuracy(runs: DataFrame) -> DataFrame:
    """One row per data set, network and p: means over seeds with 95 % intervals."""
    mine = of_kind(runs, "label noise")
    shown = {name: column for name, column in SHOWN.items() if column in mine}
    table = over_seeds(mine, BY_LEVEL, shown)
    for stage in ("train", "test"):
        values = published(f"{stage}/accuracy", "brandao2023").set_index(BY_LEVEL).value
        table[f"{stage} published"] = [values.get(tuple(row)) for row in table[BY_LEVEL].to_numpy()]
    return in_order(table, BY_LEVEL).rename(columns={"level": "p"})
