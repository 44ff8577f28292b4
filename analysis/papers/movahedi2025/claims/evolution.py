"""How the geometry moves: towards G_F S G_F, hardly on flipped data, as predicted if wide."""

import numpy as np
from pandas import DataFrame, Series

from analysis.claim import Evidence
from analysis.claim_cells import difference, over_seeds_in
from analysis.exhibits import NotEnoughError, need_columns
from analysis.papers.movahedi2025.claims.directions import CELL, networks
from analysis.papers.movahedi2025.experiments import runs_of, velocity_runs
from analysis.runs.series import series
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe

NAMES = ["geometry/corr_gsg", "geometry/corr_s"]
# by network: correlation of Delta_F with what it tends to
AIMS = {"perceptron": "geometry/delta_corr_s", "linear_convnet": "geometry/delta_corr_gsg"}


def one_estimator(runs: DataFrame) -> DataFrame:
    """The runs of the present estimator alone, where there are any.

    Runs of earlier versions, which have no interval of `corr_gsg`, averaged over all pairs of up to
    128 points: their correlations have another definition and are not pooled with these.
    """
    present = runs.get(f"{NAMES[0]}_low", Series(np.nan, runs.index)).notna()
    return runs[present].reset_index(drop=True) if present.any() else runs


def towards(runs: DataFrame, experiment: str) -> Evidence:
    """Corr(G^t, G_F S G_F) less Corr(G^t, S) at the end of training."""
    mine = networks(runs_of(runs, experiment), invariant=False)
    need_columns(mine, NAMES)
    mine = one_recipe(one_estimator(mine)).assign(
        gap=lambda table: table[NAMES[0]] - table[NAMES[1]]
    )
    return over_seeds_in(mine, CELL, "gap")


def flipped(runs: DataFrame, quantity: str, log: bool) -> Evidence:
    """Mean over epochs of a quantity: data along G_F against flipped data, seed by seed."""
    mine = networks(velocity_runs(runs), invariant=False)
    means = series(mine, quantity).groupby("key")[quantity].mean()
    mine = mine.assign(course=mine.key.map(means)).dropna(subset=["course"])
    if log:
        mine = mine[mine.course > 0].assign(course=lambda table: np.log(table.course))
    if mine.empty:
        raise NotEnoughError(f"no finished run has {quantity}")
    return over_seeds_in(
        mine,
        CELL,
        lambda part: difference(part, "flip", "course", first=False, second=True),
        ratio=log,
    )


def widest(runs: DataFrame) -> Evidence:
    """|Corr| of Delta_F with its limit, in the widest networks.

    Not the difference to narrow ones: there the noise that is taken out of Delta_F leaves values
    beyond 1 (1.06 at width 4), which no correlation has.
    """
    mine = runs_of(runs, "width")
    mine = mine[mine.model.isin(AIMS)]
    need_columns(mine, AIMS.values())
    width = setting(mine, "model.network.widths").map(lambda widths: widths[0])
    aims = [abs(mine.at[place, AIMS[model]]) for place, model in mine.model.items()]
    mine = one_recipe(mine.assign(width=width, aim=aims), swept=["width"])
    mine = mine[mine.width == mine.groupby(CELL).width.transform("max")]
    return over_seeds_in(mine, [*CELL, "width"], "aim")
