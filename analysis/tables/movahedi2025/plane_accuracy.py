"""Test accuracy on the plane problem, by orientation.

Reading it: means over seeds and networks, with the 95 % interval over seeds. `one direction` is the
best that a network can do that sees u1 alone. A network with pooling should pass it only where
`u2` is strong in G_F (1: the second eigenvector, -1: the last).
"""

import math

from pandas import DataFrame

from analysis.architectures import networks_of, runs_of
from analysis.names import model_name
from analysis.over_seeds import half_width
from analysis.settings import setting

source = "Movahedi et al. 2025, Fig. 1, as numbers"
requires = ("test/accuracy", "boundary/agreement")
experiment = "movahedi2025/plane"


def build(runs: DataFrame) -> DataFrame:
    """One row per network and orientation."""
    mine = runs_of(runs, "plane").dropna(subset=list(requires))
    mine = mine.assign(u2=setting(mine, "data.law.u2"), radii=setting(mine, "data.law.radii"))
    rows = []
    for model in networks_of(mine):
        for u2, part in mine[mine.model == model].groupby("u2", sort=False):
            inner, outer = sorted(part.radii.iloc[0])
            accuracy = part["test/accuracy"]
            half = float(half_width(accuracy.std(), len(accuracy)))
            rows.append(
                {
                    "model": model_name(model),
                    "u2": u2,
                    "test accuracy": accuracy.mean(),
                    "test accuracy_low": accuracy.mean() - half,
                    "test accuracy_high": accuracy.mean() + half,
                    "seeds": part.seed.nunique(),
                    "train accuracy": part["train/accuracy"].mean(),
                    "one direction": 1 - math.asin(inner / outer) / math.pi,
                }
            )
    return DataFrame(rows)
