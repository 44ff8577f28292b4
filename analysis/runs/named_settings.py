"""Settings of runs under the names that tables give to data sets."""

from typing import Any

from pandas import DataFrame

from analysis.runs.run_row import SETTINGS
from datamodules.spec import OWN


def named_settings(runs: DataFrame) -> list[dict[str, Any]]:
    """The settings of every run, with the name of its data set, and stand-ins marked.

    In the settings all images of users are `image_folder`, at a path that others need not see, and
    a stand-in has the name of its set.
    """
    marks = runs.standin.map({True: " (stand-in)", False: ""})
    return [
        {**own, "data": _named(own["data"], name + mark)}
        for own, name, mark in zip(runs[SETTINGS], runs.data, marks, strict=True)
    ]


def _named(data: dict[str, Any], name: str) -> dict[str, Any]:
    place = ("root",) if data["name"] in OWN else ()
    return {key: value for key, value in data.items() if key not in place} | {"name": name}
