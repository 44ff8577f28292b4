"""Test accuracy against the direction that decides the labels."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib import colormaps
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.experiments import runs_of
from analysis.papers.movahedi2025.numbered_directions import KINDS, with_labels
from analysis.papers.movahedi2025.panels import Line, accuracy_panels
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe

LINES = [
    Line(f"{kind}{', train' * (stage == 'train')}", colour, f"{stage}/accuracy", {"kind": kind},
         dotted=stage == "train")
    for kind, colour in KINDS.items() for stage in ("test", "train")
]  # fmt: skip


def directions_of_images(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network and data set."""
    mine = one_recipe(with_labels(runs_of(runs, "directions"), "task"))
    return accuracy_panels(mine, "direction", "eigenvector of $G_F S G_F$", LINES)


def directions_of_noise(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Nearly isotropic Gaussians, one panel per network."""
    usual = runs_of(runs, "isotropic", "isotropic_deep")
    # runs of equal settings are one run, so that those of the usual rate may be filed elsewhere
    mine = runs_of(runs, "isotropic", "isotropic_deep", "rates")
    rate = setting(mine, "optimizer.lr")
    rates = set(setting(usual, "optimizer.lr"))
    mine = mine[mine.key.isin(usual.key) | (mine.model.isin(usual.model) & rate.isin(rates))]
    mine = one_recipe(with_labels(mine, "data.law"))
    return accuracy_panels(mine, "direction", "eigenvector of $G_F$", LINES)


KIND = ("kind", "model")  # the panels where lines are data sets or rates
SETS = (
    ("directions_small", "task", "CIFAR-10, of $G_F S G_F$"),
    ("isotropic_small", "data.law", "isotropic, of $G_F$"),
)


def directions_small(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per kind of label and network, one line per data set."""
    parts = []
    for experiment, where, data in SETS:
        try:
            mine = one_recipe(with_labels(runs_of(runs, experiment), where))
        except NotEnoughError:
            continue
        parts.append(mine.assign(images=data))
    if not parts:
        raise NotEnoughError("no finished run is of isotropic_small or directions_small")
    mine = pd.concat(parts, ignore_index=True)
    lines = _shaded("images", sorted(mine.images.unique(), reverse=True), "{}")
    return accuracy_panels(mine, "direction", "eigenvector", lines, by=KIND)


def learning_rates(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per kind of label and network."""
    swept = runs_of(runs, "rates")
    # runs of equal settings are one run, so that those of the usual rate may be filed elsewhere
    mine = runs_of(runs, "rates", "isotropic_deep")
    mine = with_labels(mine[mine.model.isin(swept.model)], "data.law")
    mine = mine.assign(rate=setting(mine, "optimizer.lr").astype(float))
    mine = one_recipe(mine, swept=["rate"])
    lines = _shaded("rate", sorted(mine.rate.unique(), reverse=True), "rate {:g}")
    return accuracy_panels(mine, "direction", "eigenvector of $G_F$", lines, by=KIND)


def _shaded(column: str, values: Sequence[Any], label: str) -> list[Line]:
    """One line per value of a column, from dark to light."""
    shades = [colormaps["viridis"](place / max(len(values), 2)) for place in range(len(values))]
    pairs = zip(values, shades, strict=True)
    return [Line(label.format(value), shade, where={column: value}) for value, shade in pairs]
