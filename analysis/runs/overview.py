"""Overview of the runs: how many of which experiment, and which settings differ."""

from typing import Any

from pandas import DataFrame

from analysis.runs.records import Runs
from records.status import STATUSES

# Settings that sweeps vary and figures distinguish.
MEANT = ("data.size", "data.channels", "n", "seed", "standin")


def overview(table: DataFrame) -> DataFrame:
    """One row per experiment, protocol and preset: what was swept, and how far it came."""
    rows = []
    states = [state for state in STATUSES if (table.status == state).any()]
    for names, part in table.groupby(["experiment", "protocol", "preset"]):
        row: dict[str, Any] = dict(zip(("experiment", "protocol", "preset"), names, strict=True))
        row |= {"runs": len(part)} | {state: int((part.status == state).sum()) for state in states}
        row["stand-in data"] = int(part.standin.sum())
        for column in ("model", "data", "n", "seed"):
            row[column] = ", ".join(str(value) for value in sorted(part[column].unique()))
        rows.append(row)
    return DataFrame(rows)


def unequal_settings(runs: Runs, table: DataFrame) -> dict[str, list[str]]:
    """Settings that differ between runs of one network and data set, by name, with their values.

    Such runs are drawn together; where the settings matter, they should not be.
    """
    found: dict[str, set[str]] = {}
    for _, part in table.groupby(["model", "data"]):
        values: dict[str, set[str]] = {}
        for key in part.key:
            for name, value in runs.settings[key].items():
                if name not in MEANT and not name.startswith("task."):
                    values.setdefault(name, set()).add(str(value))
        for name, seen in values.items():
            if len(seen) > 1:
                found.setdefault(name, set()).update(seen)
    return {name: sorted(seen) for name, seen in sorted(found.items())}
