"""What distinguishes medical from natural images: one value per data set, Welch's interval."""

import numpy as np
import torch
from pandas import DataFrame, concat

from analysis.claim import Cell, Evidence
from analysis.exhibits import NotEnoughError, need_columns
from analysis.printing.names import model_name
from analysis.statistics.grid import main_view, trained_view
from metrics.functional.clusters import LEAST_CLUSTERS
from metrics.functional.estimate import Estimate
from metrics.functional.mean_difference import mean_difference

DOMAINS = ["medical", "natural"]


def of_data(runs: DataFrame, column: str) -> Evidence:
    """Ratio of the geometric means of a property of the images, medical over natural.

    A draw of images that several networks were trained on counts once.
    """
    sets = per_set(main_view(runs).drop_duplicates(["data", "n", "draw", "standin"]), column)
    return Evidence({"": _contrast(sets, column, log=True)}, "data set", sets)


def of_networks(runs: DataFrame, column: str, log: bool = True) -> Evidence:
    """The same of a number of trained networks, for each network; a difference without `log`."""
    sets = {}
    for model, part in trained_view(runs).groupby("model"):
        try:
            sets[model_name(str(model))] = per_set(part, column, log)
        except NotEnoughError:
            continue
    if not sets:
        raise NotEnoughError(_too_few(column))
    cells = {model: _contrast(mine, column, log) for model, mine in sets.items()}
    return Evidence(cells, "data set", concat(sets.values(), ignore_index=True))


def per_set(runs: DataFrame, column: str, log: bool = True) -> DataFrame:
    """The runs at the n that most data sets have, of both domains, positive if logs are taken.

    Of the n with sets enough for an interval in each domain; of several the largest.
    """
    need_columns(runs, [column])
    usable = runs[runs[column] > 0] if log else runs.dropna(subset=[column])
    sets = usable.groupby(["n", "domain"]).data.nunique().unstack().reindex(columns=DOMAINS)
    sets = sets[(sets >= LEAST_CLUSTERS).all(axis=1)].sum(axis=1)
    if sets.empty:
        raise NotEnoughError(_too_few(column))
    n = sets[sets == sets.max()].index.max()
    return usable[(usable.n == n) & usable.domain.isin(DOMAINS)].reset_index(drop=True)


def _too_few(column: str) -> str:
    return f"{column}: fewer than {LEAST_CLUSTERS} medical or natural sets of one n"


def _contrast(sets: DataFrame, column: str, log: bool) -> Cell:
    """Medical less natural, of the means of the data sets; of logarithms the ratio."""
    values = np.log(sets[column]) if log else sets[column]
    means = sets.assign(y=values).groupby(["domain", "data"]).y.mean()
    medical, natural = (torch.tensor(means[domain].to_numpy(float)) for domain in DOMAINS)

    def at(confidence: float) -> Estimate:
        return mean_difference(medical, natural, confidence)

    cell = Cell(at, len(means))
    return cell.exp() if log else cell
