"""Test accuracy against the direction that decides the labels."""

import pandas as pd
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.architectures import runs_of
from analysis.papers.movahedi2025.direction_curves import (
    panels_by_kind,
    panels_by_network,
    with_directions,
)
from analysis.runs.settings import setting


def directions_of_images(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """CIFAR-10, one panel per network."""
    mine = with_directions(runs_of(runs, "directions"), "task")
    return panels_by_network(mine, "eigenvector of $G_F S G_F$")


def directions_of_noise(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Nearly isotropic Gaussians, one panel per network."""
    usual = runs_of(runs, "isotropic", "isotropic_deep")
    # runs of equal settings are one run, so that those of the usual rate may be filed elsewhere
    mine = runs_of(runs, "isotropic", "isotropic_deep", "rates")
    rate = setting(mine, "optimizer.lr")
    rates = set(setting(usual, "optimizer.lr"))
    mine = mine[mine.key.isin(usual.key) | (mine.model.isin(usual.model) & rate.isin(rates))]
    mine = with_directions(mine, "data.law")
    mine = mine.drop_duplicates(["model", "kind", "direction", "seed"])
    return panels_by_network(mine, "eigenvector of $G_F$")


SETS = (
    ("directions_small", "task", "CIFAR-10, of $G_F S G_F$"),
    ("isotropic_small", "data.law", "isotropic, of $G_F$"),
)


def directions_small(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per kind of label, one line per data set."""
    parts = []
    for experiment, where, data in SETS:
        try:
            mine = with_directions(runs_of(runs, experiment), where)
        except NotEnoughError:
            continue
        parts.append(mine.assign(images=data))
    if not parts:
        raise NotEnoughError("no finished run is of isotropic_small or directions_small")
    return panels_by_kind(pd.concat(parts, ignore_index=True), "images", "", "eigenvector")


def learning_rates(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per kind of label."""
    swept = runs_of(runs, "rates")
    # runs of equal settings are one run, so that those of the usual rate may be filed elsewhere
    mine = runs_of(runs, "rates", "isotropic_deep")
    mine = with_directions(mine[mine.model.isin(swept.model)], "data.law")
    mine = mine.assign(rate=setting(mine, "optimizer.lr").astype(float))
    return panels_by_kind(mine, "rate", "rate", "eigenvector of $G_F$")
