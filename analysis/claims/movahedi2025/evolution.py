"""How the geometry moves: towards G_F S G_F, hardly on flipped data, as predicted if wide."""

from functools import partial

import numpy as np
from pandas import DataFrame, Series

from analysis.architectures import runs_of
from analysis.claim import Claim, Evidence, Range
from analysis.claim_cells import difference, one_recipe, over_seeds_in
from analysis.claims.movahedi2025.directions import networks
from analysis.exhibits import NotEnoughError
from analysis.series import series
from analysis.settings import setting

ALONG = 0.9
NAMES = ["geometry/corr_gsg", "geometry/corr_s"]
AIMS = {"perceptron": "s", "linear_convnet": "gsg"}  # what Delta_F tends to, by network


def one_estimator(runs: DataFrame) -> DataFrame:
    """The runs of the present estimator alone, where there are any.

    Runs of earlier versions, which have no interval of `corr_gsg`, averaged over all pairs of up to
    128 points: their correlations are others, and are not pooled with those of today.
    """
    present = runs.get(f"{NAMES[0]}_low", Series(np.nan, runs.index)).notna()
    return runs[present].reset_index(drop=True) if present.any() else runs


def towards(runs: DataFrame, *experiments: str) -> Evidence:
    """Corr(G^t, G_F S G_F) less Corr(G^t, S) at the end of training."""
    mine = networks(runs_of(runs, *experiments), invariant=False)
    if not set(NAMES) <= set(mine.columns):
        raise NotEnoughError(f"no finished run has {', '.join(NAMES)}")
    mine = one_recipe(one_estimator(mine)).assign(
        gap=lambda table: table[NAMES[0]] - table[NAMES[1]]
    )
    return over_seeds_in(mine, ["model"], lambda part: part.groupby("seed").gap.mean())


def flipped(runs: DataFrame, quantity: str, log: bool) -> Evidence:
    """Mean over epochs of a quantity: data along G_F against flipped data, seed by seed."""
    mine = networks(runs_of(runs, "velocity", "velocity_sizes"), invariant=False)
    mine = one_recipe(mine[mine.n == mine.groupby("model").n.transform("min")])
    means = series(mine, quantity).groupby("key").value.mean()
    mine = mine.assign(flip=setting(mine, "data.law.flip", default=False).astype(bool))
    mine = mine.assign(course=mine.key.map(means)).dropna(subset=["course"])
    if log:
        mine = mine[mine.course > 0].assign(course=lambda table: np.log(table.course))
    if mine.empty:
        raise NotEnoughError(f"no finished run has {quantity}")
    return over_seeds_in(
        mine,
        ["model"],
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
    names = [f"geometry/delta_corr_{aim}" for aim in AIMS.values()]
    if mine.empty or not set(names) <= set(mine.columns):
        raise NotEnoughError(f"no finished run has {', '.join(names)}")
    width = setting(mine, "model.network.widths").map(lambda widths: widths[0])
    aims = [abs(run[f"geometry/delta_corr_{AIMS[run.model]}"]) for _, run in mine.iterrows()]
    mine = mine.assign(width=width, aim=aims)
    mine = mine[mine.width == mine.groupby("model").width.transform("max")]
    return over_seeds_in(mine, ["model", "width"], lambda part: part.groupby("seed").aim.mean())


CLAIMS = (
    Claim(
        name="towards_gsg",
        statement="The geometry of a training network correlates with G_F S G_F more than with S.",
        source="Movahedi et al. 2025, Fig. 2",
        statistic="Corr(G^t, G_F S G_F) less Corr(G^t, S), trained, every network but the MLP",
        claimed=Range(low=0),
        experiment="movahedi2025/evolution seed=0,1,2",
        decide=lambda runs: towards(runs, "evolution"),
    ),
    Claim(
        name="towards_gsg_random_labels",
        statement="So it does when the labels are random.",
        source="Movahedi et al. 2025, Fig. 8",
        statistic="Corr(G^t, G_F S G_F) less Corr(G^t, S), trained, every network but the MLP",
        claimed=Range(low=0),
        experiment="movahedi2025/random_labels seed=0,1,2",
        decide=lambda runs: towards(runs, "random_labels"),
    ),
    Claim(
        name="flipped_is_slower",
        statement="Random labels are fitted more slowly on data that vary where G_F is weak.",
        source="Movahedi et al. 2025, Fig. 3",
        statistic="training accuracy, mean over epochs: along G_F less flipped, every network but "
        "the MLP",
        claimed=Range(low=0),
        experiment="movahedi2025/velocity seed=0,1,2",
        decide=partial(flipped, quantity="train/running_accuracy", log=False),
    ),
    Claim(
        name="flipped_moves_less",
        statement="The geometry moves less on data that vary where G_F is weak.",
        source="Movahedi et al. 2025, Fig. 3",
        statistic="velocity, mean over epochs: along G_F over flipped, every network but the MLP",
        claimed=Range(low=1),
        experiment="movahedi2025/velocity seed=0,1,2",
        decide=partial(flipped, quantity="geometry/velocity", log=True),
    ),
    Claim(
        name="width",
        statement="In a wide network the first change of the geometry is along S (one hidden "
        "layer) or G_F S G_F (linear convolution).",
        source="Movahedi et al. 2025, Fig. 7, Theorems 3.1 and 3.2",
        statistic="|Corr(Delta_F, limit)| of the widest networks, both kinds; along means above "
        "0.9",
        claimed=Range(low=ALONG),
        experiment="movahedi2025/width",
        decide=widest,
        published="tends to 1",
    ),
)
