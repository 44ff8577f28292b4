"""Test accuracy on pruned training sets, beside the published one."""

from collections.abc import Sequence
from typing import Any

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.architectures import networks_of, runs_of
from analysis.printing.names import model_name
from analysis.published import published
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import half_width


def pruning_table(runs: DataFrame, fractions: Sequence[float] | None = None) -> DataFrame:
    """One row per network and share removed: random and score pruning, in per cent.

    Args:
        runs: rows of the tidy table.
        fractions: shares to show; None: all there are.
    """
    mine = runs_of(runs, "pruning")
    mine = mine.assign(
        by=setting(mine, "data.transforms.prune.by"),
        removed=setting(mine, "data.transforms.prune.fraction").astype(float),
    )
    if fractions is not None:
        mine = mine[mine.removed.isin(fractions)]
    if mine.empty:
        raise NotEnoughError(f"no run has pruned a share of {fractions}")
    rows = []
    for model in networks_of(mine):
        for removed, part in mine[mine.model == model].groupby("removed"):
            row: dict[str, Any] = {
                "model": model_name(model),
                "removed %": round(100 * float(removed)),
            }
            for by in ("random", "score"):
                some = 100 * part.loc[part.by == by, "test/accuracy"]
                half = float(half_width(some.std(), len(some)))
                row |= {by: some.mean(), f"{by}_low": some.mean() - half}
                row |= {f"{by}_high": some.mean() + half, f"{by} runs": len(some)}
            row["gain"] = row["score"] - row["random"]
            for by in ("random", "score"):
                known = published(
                    "test/accuracy", "movahedi2025", model=model, task=by, level=removed
                )
                row[f"{by} published"] = known.value.iloc[0] if len(known) else None
            rows.append(row)
    return DataFrame(rows)
