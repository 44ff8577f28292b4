"""Single settings of runs, by their name on the command line."""

from typing import Any

from pandas import DataFrame, Series

from records.schema import entry


def setting(runs: DataFrame, name: str, default: Any = None) -> Series:
    """One setting of every run, by its dotted name: `setting(runs, "task.noise", 0.0)`."""
    return Series([entry(own, name, default) for own in runs.settings], index=runs.index)
