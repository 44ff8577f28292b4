"""Accuracy in a plane of two directions."""

import math

from pandas import DataFrame

from analysis.papers.movahedi2025.architectures import networks_of, runs_of
from analysis.printing.names import model_name
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import half_width

NEEDED = ("test/accuracy", "boundary/agreement")


def plane_accuracy(runs: DataFrame) -> DataFrame:
    """One row per network and orientation."""
    mine = runs_of(runs, "plane").dropna(subset=list(NEEDED))
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
