"""Single settings of runs, by the name they have on the command line."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from pandas import DataFrame, Series


def setting(runs: DataFrame, name: str, default: Any = None) -> Series:
    """One setting of every run, read from its record: `setting(runs, "task.noise", 0.0)`.

    Args:
        runs: rows of the tidy table.
        name: as on the command line, with dots.
        default: for runs whose configuration has no such setting.
    """
    return Series([_select(_settings(path), name, default) for path in runs.path], index=runs.index)


@lru_cache(maxsize=4096)
def _settings(path: str) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads((Path(path) / "record.json").read_text())["settings"]
    return settings


def _select(node: Any, name: str, default: Any) -> Any:
    for part in name.split("."):
        if not isinstance(node, dict) or part not in node:
            return default
        node = node[part]
    return node
