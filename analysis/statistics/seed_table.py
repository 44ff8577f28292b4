"""Mean and spread over seeds of the main numbers, one row per setting."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pandas import DataFrame, Series

from analysis.runs.named_settings import named_settings
from analysis.runs.run_row import SETTINGS
from display.differing import differing
from records.quantities import main_names

AVERAGED = ("seed", "fold")  # settings that repeat a run rather than change it


def averaged_over(runs: DataFrame) -> str:
    """What rows of `seed_table` average: seeds, folds of a cross-validation, or both.

    >>> folds = [{"data": {}, "seed": 0, "folds": 5, "fold": fold} for fold in range(5)]
    >>> averaged_over(DataFrame({SETTINGS: folds})), averaged_over(DataFrame({SETTINGS: []}))
    ('folds', 'seeds')
    """
    if not any(own.get("folds") for own in runs[SETTINGS]):
        return "seeds"
    groups: dict[str, dict[str, set[object]]] = {}
    for own in runs[SETTINGS]:
        one = groups.setdefault(_without_seed(own), {name: set() for name in AVERAGED})
        for name, values in one.items():
            values.add(str(own.get(name, own["data"].get(name))))
    varied = {name for one in groups.values() for name, values in one.items() if len(values) > 1}
    return " and ".join(f"{name}s" for name in AVERAGED if name in varied) or "seeds"


def caption(runs: DataFrame) -> str:
    """Of `seed_table`, for files."""
    over = averaged_over(runs)
    return f"Mean over {over}; after the sign ± the standard deviation over them, from two on"


def seed_table(runs: DataFrame, names: Sequence[str] | None = None) -> DataFrame:
    """Average the main numbers, or `names`, over runs that differ in their seed, or fold, alone.

    The columns before `runs` are the settings in which the rows differ, at most four. A number `x`
    has its mean in the column `x` and its standard deviation over them (n - 1 in the denominator)
    in `x_sd`, which is NaN for a single run. Where some of the runs lack it (an infinite K_F, a
    failed probe), `x_runs` has the number of the others.
    """
    if runs.empty:
        return DataFrame()
    own = Series(named_settings(runs), index=runs.index)
    groups = own.map(_without_seed)
    settings = differing([_kept(one) for one in own[~groups.duplicated()]])
    names = main_names(list(runs.columns)) if names is None else names
    grouped = runs.groupby(groups, sort=False)
    columns: dict[str, Any] = {"runs": grouped.size().to_numpy()}
    for name in names:
        columns[name] = grouped[name].mean().to_numpy()
        columns[f"{name}_sd"] = grouped[name].std(ddof=1).to_numpy()
        having = grouped[name].count().to_numpy()
        some = (having > 0) & (having < columns["runs"])
        if some.any():
            columns[f"{name}_runs"] = np.where(some, having, np.nan)
    table = DataFrame(settings | columns)
    return table.sort_values(list(settings), key=_numeric, kind="stable", ignore_index=True)


def _kept(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings without seed and fold, at the top level and in `data`."""
    kept = {name: value for name, value in settings.items() if name not in AVERAGED}
    data = {name: value for name, value in kept["data"].items() if name not in AVERAGED}
    return kept | {"data": data}


def _without_seed(settings: Mapping[str, Any]) -> str:
    return json.dumps(_kept(settings), sort_keys=True, default=str)


def _numeric(column: Any) -> Any:
    """Numbers in text by size, words by alphabet."""
    try:
        return column.astype(float)
    except (TypeError, ValueError):
        return column
