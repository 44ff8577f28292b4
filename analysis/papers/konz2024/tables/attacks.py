"""Correlation of attacks with label sharpness."""

from typing import Any

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.printing.names import networks_of
from analysis.published import published
from analysis.statistics.grid import trained_view
from analysis.statistics.laws import SHARPNESS, correlate, interval_over

LEVELS = (1, 2, 4, 8)


def adv_corr(runs: DataFrame) -> DataFrame:
    """One row per network, penalty and attack size."""
    view = trained_view(runs)
    rows = []
    for penalty in ("loss", "accuracy"):
        for level in LEVELS:
            column = f"test/fgsm_{penalty}_penalty@{level}"
            if column not in view:
                continue
            usable = view.dropna(subset=[SHARPNESS, column])
            for model in networks_of(usable):
                row: dict[str, Any] = {"model": model, "penalty": penalty, "eps x 255": level}
                rows.append(row | _correlation(usable[usable.model == model], column))
    if not rows:
        raise NotEnoughError("no trained run has both K_F and an FGSM penalty")
    table = DataFrame(rows)
    known = published("r").assign(penalty="loss").rename(columns={"level": "eps x 255"})
    keys = ["model", "penalty", "eps x 255"]
    for domain in ("all", "medical", "natural"):
        name = f"r_{'pooled' if domain == 'all' else f'within_{domain}'} published"
        ours = known[known.domain == domain].rename(columns={"value": name})
        table = table.merge(ours[[*keys, name]], on=keys, how="left")
    return table


def _correlation(runs: DataFrame, column: str) -> dict[str, Any]:
    numbers: dict[str, Any] = {"runs": len(runs), "interval over": interval_over(runs)}
    if len(runs) < 3 or runs[SHARPNESS].nunique() < 2 or runs[column].nunique() < 2:
        return numbers | {"r_pooled": float("nan")}
    try:
        return numbers | correlate(runs, SHARPNESS, column).scalars()
    except ValueError as error:  # no resample of the data sets has two different values
        return numbers | {"r_pooled": float("nan"), "note": str(error)}
