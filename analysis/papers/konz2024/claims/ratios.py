"""Ratios within a data set: representation to data, and small images to large ones."""

import numpy as np
import torch
from pandas import DataFrame, Series

from analysis.claim import Cell, Evidence
from analysis.exhibits import NotEnoughError, need_columns
from analysis.papers.konz2024.claims.law import by_network
from metrics.functional.cluster_mean import cluster_mean
from metrics.functional.clusters import clusters_of
from metrics.functional.estimate import Estimate


def below_data(runs: DataFrame, estimator: str) -> Evidence:
    """d_repr over d_data by one estimator, in every network."""
    top, bottom = f"train/d_repr_{estimator}", f"data/d_{estimator}"

    def statistic(points: DataFrame, confidence: float) -> Estimate:
        return _mean_log(points, np.log(points[top] / points[bottom]), confidence)

    found = by_network(runs, [top, bottom], statistic)
    return Evidence(
        {name: cell.exp() for name, cell in found.cells.items()}, "data set", found.runs
    )


def of_sizes(runs: DataFrame, column: str) -> Evidence:
    """A property at the smallest image size over that at the largest, of every data set."""
    need_columns(runs, [column])
    usable = runs[runs[column] > 0].assign(log=lambda table: np.log(table[column]))
    same = ["data", "domain", "n", "draw", "task", "channels", "images"]
    means = usable.groupby([*same, "size"]).log.mean().reset_index()
    ends = means.groupby(same)["size"].agg(["min", "max"]).query("min < max").reset_index()
    if ends.empty:
        raise NotEnoughError("no data set was measured at two image sizes")
    for name in ("min", "max"):
        values = means.rename(columns={"size": name, "log": f"log {name}"})
        ends = ends.merge(values, on=[*same, name])
    ratio = ends["log min"] - ends["log max"]
    cell = Cell(lambda confidence: _mean_log(ends, ratio, confidence), int(ends.data.nunique()))
    used = usable.merge(ends[same].drop_duplicates(), on=same)
    return Evidence({"": cell.exp()}, "data set", used)


def _mean_log(points: DataFrame, logs: Series, confidence: float) -> Estimate:
    """Mean over data sets, each counted once."""
    means = DataFrame({"data": points.data, "log": logs}).groupby("data").log.mean()
    values = torch.tensor(means.to_numpy(float))
    return cluster_mean(values, clusters_of(None, len(values)), confidence)
