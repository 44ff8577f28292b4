"""Accuracy and certified robust accuracy (CRA) against the number of images: means over seeds."""

import numpy as np
from pandas import DataFrame, Series

from analysis.claim import Evidence
from analysis.claim_cells import at_common_levels, by_level, over_seeds_in
from analysis.exhibits import need_columns
from analysis.papers.prach2025.budgets import STUDY
from analysis.papers.prach2025.experiments import over_sizes
from analysis.papers.prach2025.log_lines import CRA

SIZES = 4  # of n, for a straight line to mean something


def straight(runs: DataFrame, quantity: str) -> Evidence:
    """R^2 of the line through a quantity against log n, by seed."""
    return over_seeds_in(_scaling(runs), STUDY, lambda part: _lines(part, quantity).r2)


def slower(runs: DataFrame) -> Evidence:
    """Points of accuracy per doubling of n less points of CRA."""

    def gap(part: DataFrame) -> Series:
        return _lines(part, "accuracy").slope - _lines(part, CRA).slope

    return over_seeds_in(_scaling(runs), STUDY, gap)


def _scaling(runs: DataFrame) -> DataFrame:
    mine = over_sizes(runs)
    need_columns(mine, [f"test/{CRA}"])
    return mine


def _lines(part: DataFrame, quantity: str) -> DataFrame:
    """Slope (per cent per doubling) and R^2 of the line on log2 n, of seeds that have all sizes."""
    rows = {}
    table = at_common_levels(by_level(part, "n", f"test/{quantity}"))
    for seed, values in table.dropna().iterrows():
        y = 100 * values
        if len(y) >= SIZES and y.nunique() > 1:
            x = np.log2(y.index.to_numpy(float))
            rows[seed] = {"slope": np.polyfit(x, y, 1)[0], "r2": np.corrcoef(x, y)[0, 1] ** 2}
    return DataFrame.from_dict(rows, orient="index", columns=["slope", "r2"])
