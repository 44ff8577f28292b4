"""Mean log spectrum at overfit, and what noise adds to it.

Reading it: `difference` is against no noise, seed by seed, with the 95 % interval of the mean over
seeds; the paper's claim is that it is above 0 for every kind of noise. `left mass` is to be
compared with `1/C`, the share of the direction that softmax ignores: within 0.005 of it the left
mode is that direction. `epochs` is where the stop rule ended training.
"""

import pandas as pd
from pandas import DataFrame

from analysis.over_seeds import over_seeds
from analysis.series import series
from analysis.spectra import KINDS, cells, classes_of, with_noise

source = "Brandao et al. 2023, claim of section 4; appendix 1.7"
requires = ("train/log_spectrum_mean",)
experiment = "brandao2023/label_noise"
GAUGES = {"raw": "train/log_spectrum_mean", "centred": "train/log_spectrum_mean@centred"}
BY = ["data", "model", "kind", "level"]


def build(runs: DataFrame) -> DataFrame:
    """One row per data set, network, kind and level of noise."""
    mine = with_noise(runs)
    parts = [part for _, part in cells(mine[mine.kind.isin(KINDS)])]
    return pd.concat([_rows(part) for part in parts], ignore_index=True)


def _rows(part: DataFrame) -> DataFrame:
    epochs = series(part, GAUGES["raw"]).groupby("key").epoch.max()
    part = part.assign(epochs=part.key.map(epochs))
    table = part.groupby(BY, as_index=False).agg(
        runs=("seed", "count"), epochs=("epochs", "mean"), accuracy=("train/accuracy", "mean")
    )
    table = table.rename(columns={"accuracy": "train accuracy"})
    for gauge, column in GAUGES.items():
        if column in part:
            table = _joined(table, f"E[log sigma], {gauge}", over_seeds(part, BY, column))
            clean = part[part.level == part.level.min()].groupby("seed")[column].mean()
            added = part.assign(added=part[column] - part.seed.map(clean))
            added = added[added.level > part.level.min()]
            table = _joined(table, f"difference, {gauge}", over_seeds(added, BY, "added"))
    table = _joined(table, "left mass", over_seeds(part, BY, "train/left_mass"))
    return table.assign(**{"1/C": 1 / classes_of(part)})


def _joined(table: DataFrame, name: str, points: DataFrame) -> DataFrame:
    ends = {"mean": name, "low": f"{name}_low", "high": f"{name}_high"}
    return table.merge(points[[*BY, *ends]].rename(columns=ends), on=BY, how="left")
