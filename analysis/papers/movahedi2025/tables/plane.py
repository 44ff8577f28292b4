"""Accuracy in a plane of two directions."""

import math

from pandas import DataFrame

from analysis.exhibits import need_columns
from analysis.papers.movahedi2025.experiments import runs_of
from analysis.printing.names import in_order, model_name
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe
from analysis.statistics.over_seeds import over_seeds


def plane_accuracy(runs: DataFrame) -> DataFrame:
    """One row per network and orientation."""
    mine = one_recipe(runs_of(runs, "plane"))
    need_columns(mine, names := ["test/accuracy", "boundary/agreement"])
    mine = mine.dropna(subset=names)
    radii = setting(mine, "data.law.radii").map(lambda both: min(both) / max(both))
    mine = mine.assign(u2=setting(mine, "data.law.u2"), ceiling=1 - radii.map(math.asin) / math.pi)
    shown = {"test accuracy": "test/accuracy", "train accuracy": "train/accuracy"}
    table = in_order(over_seeds(mine, ["model", "u2"], shown), ["model"])
    ceilings = mine.groupby(["model", "u2"]).ceiling.first()
    table["one direction"] = [ceilings[row.model, row.u2] for row in table.itertuples()]
    return table.assign(model=table.model.map(model_name)).rename(columns={"runs": "seeds"})
