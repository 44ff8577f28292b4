"""Budgets of compute: studies of one network and data set with more or fewer epochs."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from pandas import DataFrame, Series

from analysis.runs.settings import setting
from analysis.statistics.over_seeds import LEAST

STUDY = ["model", "data", "size"]


def largest_budget(runs: DataFrame) -> DataFrame:
    """Of several budgets of one network and data set, the runs of one: most sizes n, then largest.

    Runs of two budgets are two studies, and the larger one is nearer to the published budget. A
    study sees equally many images at every n, as `${passes:...}` rounds them to epochs, or has
    equally many epochs. Sizes with too few seeds for an interval count only where studies have
    equally many others. A larger study that has not yet all sizes or seeds is left out, so that no
    curve mixes the two.
    """
    epochs = setting(runs, "epochs").astype(int)
    kept = Series(data=False, index=runs.index)
    for _, part in runs.groupby(STUDY):
        own = epochs[part.index]
        studies = _studies(own, part.n)
        best = max(studies, key=lambda mask: _precedence(part[mask], own[mask]))
        kept |= best.reindex(runs.index, fill_value=False)
    return runs[kept].reset_index(drop=True)


def _studies(epochs: Series, n: Series) -> Iterator[Series]:
    """Which runs are of one budget, for every budget that they may have.

    Epochs are whole, so a run sees at most the images it is meant to see. The most that a run of a
    study sees give the epochs of all its runs.
    """
    for images in pd.unique(epochs * n):
        yield epochs == np.maximum(1, images // n)
    for same in epochs.unique():
        yield epochs == same


def _precedence(part: DataFrame, epochs: Series) -> tuple[int, int, float]:
    seeds = part.groupby("n").seed.nunique()
    return int((seeds >= LEAST).sum()), len(seeds), float((epochs * part.n).mean())
