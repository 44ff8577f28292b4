"""Simulations of Theorem 2: robust accuracy of 1-NN where a robust classifier exists."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import over_seeds

CELL = ["dimension", "delta", "n"]


def certified_cells(runs: DataFrame) -> DataFrame:
    """Runs on data=cells, with dimension, delta and `robust`: accuracy of 1-NN at delta/2.

    Raises:
        NotEnoughError: No run was certified there.
    """
    mine = runs[runs.data == "cells"]
    if mine.empty:
        raise NotEnoughError("no run is on data=cells")
    side = setting(mine, "data.law.per_side").astype(int)
    mine = mine.assign(dimension=setting(mine, "data.law.dimension"), delta=1 / (3 * side - 2))
    mine["robust"] = [
        run.get(f"data/nn_cra@{255 * run.delta / 2:g}", float("nan")) for _, run in mine.iterrows()
    ]
    mine = mine.dropna(subset=["robust"])
    if mine.empty:
        raise NotEnoughError("no run on data=cells was certified at delta/2 in L_inf")
    return mine


def simulated(runs: DataFrame) -> DataFrame:
    """Mean over training sets with its interval, for every dimension and n.

    Returns:
        dimension, delta, n, robust, robust_low, robust_high, half, runs.
    """
    names = {"mean": "robust", "low": "robust_low", "high": "robust_high"}
    return over_seeds(certified_cells(runs), CELL, "robust").rename(columns=names)
