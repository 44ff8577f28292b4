"""Data of every run for the page's script: its numbers, its settings and its command."""

import math
from collections.abc import Sequence
from typing import Any

from pandas import DataFrame
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from analysis.report.chapter import Chapter, anchor
from analysis.runs.records import Runs
from analysis.runs.run_row import IDENTITY
from records.quantities import find

ABOUT = ["key", "experiment", "model", "data", "domain", "task", "status", "command", "path"]
AXES = ["n", "seed", "size", "channels"]  # of what identifies a run, what can be an axis


def points(runs: Runs, chapters: Sequence[Chapter]) -> dict[str, Any]:
    """Plain containers: `runs` in the order of the table, `columns` in that of their values.

    A run carries only the settings in which runs differ; those that are numbers can be axes too
    (`swept`). `selections` holds, for every exhibit, the rows of the runs that are in it.
    """
    columns = axes(runs.table)
    varied = varied_settings(runs)
    known = {"data." + name for name in AXES} | set(columns)
    swept = [name for name in varied if name not in known and _is_numeric(runs, name)]
    rows = runs.table.to_dict("records")
    return {
        "columns": [{"name": name, "title": _title(name)} for name in (*columns, *swept)],
        "swept": swept,
        "runs": [
            {name: _plain(row[name]) for name in ABOUT}
            | {
                "standin": bool(row["standin"]),
                "chapter": f"{row['protocol']}-{row['preset']}",
                "settings": _settings(runs.settings[row["key"]], varied),
                "values": [
                    *(_plain(row[name]) for name in columns),
                    *(_plain(runs.settings[row["key"]].get(name)) for name in swept),
                ],
            }
            for row in rows
        ],
        "selections": _selections(runs.table, chapters),
    }


def axes(table: DataFrame) -> list[str]:
    """Columns that can be an axis: numbers that some run has."""
    measured = [name for name in table.columns if name not in IDENTITY]
    return [
        name
        for name in [*AXES, *measured]
        if name in table
        and is_numeric_dtype(table[name])
        and not is_bool_dtype(table[name])
        and table[name].notna().any()
    ]


def varied_settings(runs: Runs) -> list[str]:
    """Settings in which the runs differ."""
    known = [runs.settings[key] for key in runs.table.key]
    names = dict.fromkeys(name for settings in known for name in settings)
    return [name for name in names if len({str(settings.get(name)) for settings in known}) > 1]


def _is_numeric(runs: Runs, name: str) -> bool:
    """Whether a setting takes several numbers, and nothing else where it is set."""
    values = [runs.settings[key].get(name) for key in runs.table.key]
    numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    return len(set(numbers)) > 1 and len(numbers) == len(values) - values.count(None)


def _settings(settings: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """The settings with these names that are set; of a `_target_` the last word.

    >>> _settings({"n": 5, "model.network._target_": "networks.lenet.LeNet"}, ["n", "x"])
    {'n': 5}
    >>> _settings({"task._target_": "datamodules.tasks.all.All"}, ["task._target_"])
    {'task': 'All'}
    """
    found = {}
    for name in names:
        value = settings.get(name)
        if value is not None:
            target = name.endswith("._target_")
            found[name.removesuffix("._target_")] = (
                str(value).rpartition(".")[2] if target else _plain(value)
            )
    return found


def _selections(table: DataFrame, chapters: Sequence[Chapter]) -> dict[str, list[int]]:
    place = {key: row for row, key in enumerate(table.key)}
    return {
        anchor(one, number): [place[key] for key in one.used]
        for number, chapter in enumerate(chapters)
        for one in chapter.made
        if one.is_made
    }


def _title(name: str) -> str:
    known = find(name)
    return f"{name}: {known.title}" if known else name


def _plain(value: Any) -> Any:
    """A value for JSON: no NaN, no infinity, no type of numpy or pandas."""
    if value is None or value != value or (isinstance(value, float) and math.isinf(value)):
        return None
    if isinstance(value, bool | int | float | str):
        return value
    return value.item() if hasattr(value, "item") else str(value)
