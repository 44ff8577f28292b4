"""Test accuracy on pruned training sets, beside the published one."""

from collections.abc import Sequence

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.experiments import runs_of
from analysis.printing.names import data_name, in_order, model_name
from analysis.published import published
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe
from analysis.statistics.over_seeds import over_seeds

CELL = ["model", "data", "task", "removed"]
TASK = "all"  # that of the paper: every class, no label changed


def pruning_table(runs: DataFrame, fractions: Sequence[float] | None = None) -> DataFrame:
    """One row per network, data set, task and share removed: both kinds of pruning, in per cent.

    The task is a column where there are several; published numbers are of the paper's.
    """
    mine = runs_of(runs, "pruning")
    mine = mine.assign(
        by=setting(mine, "data.transforms.prune.by"),
        removed=setting(mine, "data.transforms.prune.fraction").astype(float),
        percent=100 * mine["test/accuracy"],
    )
    mine = one_recipe(mine, swept=["task"], compared="by")
    if fractions is not None:
        mine = mine[mine.removed.isin(fractions)]
    if mine.empty:
        raise NotEnoughError(f"no run has pruned a share of {fractions}")
    table = mine[CELL].drop_duplicates()
    for by in ("random", "score"):
        own = over_seeds(mine[mine.by == by], CELL, {by: "percent"})
        table = table.merge(own.rename(columns={"runs": f"{by} runs"}), on=CELL, how="left")
        table = table.fillna({f"{by} runs": 0}).astype({f"{by} runs": int})
    table["gain"] = table.score - table.random
    for by in ("random", "score"):
        known = published("test/accuracy", "movahedi2025", task=by)
        values = known.assign(task=TASK).set_index(["model", "data", "task", "level"]).value
        table[f"{by} published"] = [values.get(tuple(row)) for row in table[CELL].to_numpy()]
    table = in_order(table, CELL)
    percent = (100 * table.removed).round().astype(int)
    printed = {"model": table.model.map(model_name), "data": table.data.map(data_name)}
    table = table.assign(**printed, removed=percent).rename(columns={"removed": "removed %"})
    return table.drop(columns="task") if table.task.nunique() == 1 else table
