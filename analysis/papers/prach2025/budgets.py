"""Budgets of compute: studies of one network and data set with more or fewer epochs."""

from pandas import DataFrame

from analysis.runs.settings import setting

STUDY = ["model", "data", "size"]


def largest_budget(runs: DataFrame) -> DataFrame:
    """Of several budgets of one network and data set, the runs of one: most sizes n, then largest.

    Runs of two budgets are two studies, and the larger one is nearer to the published budget. At
    each n the budgets are numbered by their epochs, the smallest 1. A larger study that has not yet
    all sizes is left out, so that no curve mixes the two.
    """
    epochs = setting(runs, "epochs").astype(float)
    budget = epochs.groupby([runs[name] for name in (*STUDY, "n")]).rank("dense")
    rows = runs.assign(budget=budget)
    sizes = rows.groupby([*STUDY, "budget"], as_index=False).n.nunique()
    best = sizes.sort_values(["n", "budget"]).drop_duplicates(STUDY, keep="last")
    kept = rows.merge(best[[*STUDY, "budget"]], on=[*STUDY, "budget"])
    return kept.drop(columns="budget")
