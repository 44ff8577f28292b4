"""Spectra of point Jacobians and the accuracy on noisy labels."""

import math
from collections.abc import Iterator

import pandas as pd
import torch
from pandas import DataFrame, Series
from torch import Tensor

from analysis.exhibits import NotEnoughError
from analysis.papers.brandao2023.spectra import (
    KINDS,
    cells,
    classes_of,
    moments,
    networks,
    of_kind,
    with_noise,
)
from analysis.published import published
from analysis.runs.series import series
from analysis.statistics.over_seeds import over_seeds
from metrics.functional.compare_fits import compare_fits
from metrics.functional.fit_lognormal_tail import fit_lognormal_tail
from metrics.functional.fit_mixture import fit_mixture
from metrics.functional.fit_modes import fit_modes
from metrics.functional.fit_power_law import fit_power_law
from metrics.functional.split_spectrum import split_spectrum

BY_MODE = ["data", "model", "kind", "level", "images", "mode"]


def spectrum_fits(runs: DataFrame) -> DataFrame:
    """One row per data set, network, level of noise, split and mode."""
    mine = with_noise(runs)
    mine = mine[mine.kind.isin(KINDS)]
    rows = [row for _, run in mine.iterrows() for row in _fits(run)]
    if not rows:
        raise NotEnoughError("no run kept its singular values")
    table = DataFrame(rows)
    grouped = table.groupby(BY_MODE, sort=False)
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


GAUGES = {"raw": "train/log_spectrum_mean", "centred": "train/log_spectrum_mean@centred"}
BY_NOISE = ["data", "model", "kind", "level"]


def spectrum_noise(runs: DataFrame) -> DataFrame:
    """One row per data set, network, kind and level of noise."""
    mine = with_noise(runs)
    parts = [part for _, part in cells(mine[mine.kind.isin(KINDS)])]
    return pd.concat([_rows(part) for part in parts], ignore_index=True)


def _rows(part: DataFrame) -> DataFrame:
    epochs = series(part, GAUGES["raw"]).groupby("key").epoch.max()
    part = part.assign(epochs=part.key.map(epochs))
    table = part.groupby(BY_NOISE, as_index=False).agg(
        runs=("seed", "count"), epochs=("epochs", "mean"), accuracy=("train/accuracy", "mean")
    )
    table = table.rename(columns={"accuracy": "train accuracy"})
    for gauge, column in GAUGES.items():
        if column in part:
            table = _joined(table, f"E[log sigma], {gauge}", over_seeds(part, BY_NOISE, column))
            clean = part[part.level == part.level.min()].groupby("seed")[column].mean()
            added = part.assign(added=part[column] - part.seed.map(clean))
            added = added[added.level > part.level.min()]
            table = _joined(table, f"difference, {gauge}", over_seeds(added, BY_NOISE, "added"))
    table = _joined(table, "left mass", over_seeds(part, BY_NOISE, "train/left_mass"))
    return table.assign(**{"1/C": 1 / classes_of(part)})


def _joined(table: DataFrame, name: str, points: DataFrame) -> DataFrame:
    ends = {"mean": name, "low": f"{name}_low", "high": f"{name}_high"}
    return table.merge(points[[*BY_NOISE, *ends]].rename(columns=ends), on=BY_NOISE, how="left")


BANDWIDTHS = (0.5, 1.0, 2.0)  # of Silverman's
PROMINENCES = (0.02, 0.05, 0.1)


def spectrum_split(runs: DataFrame) -> DataFrame:
    """One row per data set, network and level of noise; one column per way to split."""
    mine = with_noise(runs)
    mine = mine[mine.kind.isin(KINDS)]
    rows = [row for _, run in mine.iterrows() if (row := _masses(run))]
    if not rows:
        raise NotEnoughError("no run kept its singular values")
    by = ["data", "model", "kind", "level"]
    grouped = DataFrame(rows).groupby(by, sort=True)
    table = grouped.mean().drop(columns=["dip", "two modes"])
    table["spread"] = table.max(axis=1) - table.min(axis=1)
    table["two modes"], table["dip"] = grouped["two modes"].mean(), grouped["dip"].min()
    table.insert(0, "runs", grouped.size())
    return table.reset_index()


def _masses(run: Series) -> dict[str, object]:
    last = moments(run, last=True)
    if not last:
        return {}
    row: dict[str, object] = {name: run[name] for name in ("data", "model", "kind", "level")}
    log_sigma: torch.Tensor = last[0].spectrum.log_sigma
    usual = last[0].spectrum.split.bandwidth
    split = last[0].spectrum.split
    row |= {"two modes": float(split.trough is not None), "dip": split.dip}
    for factor in BANDWIDTHS:
        for prominence in PROMINENCES:
            split = split_spectrum(
                log_sigma, bandwidth=factor * usual, prominence=prominence, level=1
            )
            row[f"h x {factor:g}, {prominence:.0%}"] = split.left_mass
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
    order = {model: place for place, model in enumerate(networks(mine))}
    table = mine.groupby(BY_LEVEL, as_index=False).agg(runs=("seed", "count"))
    for name, column in SHOWN.items():
        if column in mine:
            ends = {"mean": name, "low": f"{name}_low", "high": f"{name}_high"}
            points = over_seeds(mine, BY_LEVEL, column)
            points[["low", "high"]] = points[["low", "high"]].clip(0, 1)
            points = points[[*BY_LEVEL, *ends]].rename(columns=ends)
            table = table.merge(points, on=BY_LEVEL, how="left")
    for stage in ("train", "test"):
        known = published(f"{stage}/accuracy", "brandao2023")
        values = known.set_index(["data", "model", "level"]).value
        table[f"{stage} published"] = [values.get(tuple(row)) for row in table[BY_LEVEL].to_numpy()]
    table = table.rename(columns={"level": "p"})
    return table.sort_values(["data", "model", "p"], key=lambda column: column.map(order)
                             if column.name == "model" else column, ignore_index=True)  # fmt: skip
