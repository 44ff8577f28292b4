"""The configuration of a finished run, from its record."""

from pathlib import Path
from typing import Any

from conf.targets import problems_of_targets
from records.reader import Record, read_record
from records.schema import BadRecordError

# Settings that a record may leave out, with the values that they then have.
LEFT_OUT = {"compile": False, "select": "last", "folds": None, "fold": None, "augmentation": None}


class NotARunError(Exception):
    """A folder without a usable record of a run."""


def read_run(folder: Path) -> Record:
    """The record of a run folder.

    Raises NotARunError if there is none, it cannot be read, or a `_target_` in it is not allowed.
    """
    try:
        record = read_record(folder / "record.json", ("status", "settings", "key"))
    except (OSError, BadRecordError) as error:
        reason = "there is no record.json" if isinstance(error, FileNotFoundError) else str(error)
        raise NotARunError(f"{folder}: not the folder of a run: {reason}.") from None
    if problems := list(problems_of_targets(record["settings"])):
        raise NotARunError(f"{folder}: {problems[0]}")
    return record


def past_settings(record: Record, paths: dict[str, str], root: str | None = None) -> dict[str, Any]:
    """The settings of a run as a configuration, with the present folders `paths`.

    `root` is the present folder of its images, if they were moved. Raises NotARunError if the run's
    data set has no folder.

    >>> record = {"settings": {"seed": 1, "data": {"root": "<data>/mnist"}}}
    >>> past_settings(record, {"data": "/sets"})["data"]["root"]
    '/sets/mnist'
    >>> past_settings(record, {}, root="/moved")["data"]["root"]
    '/moved'
    """
    settings = {**LEFT_OUT, **_located(record["settings"], paths), "paths": paths}
    data = {"seed": settings["seed"], **settings["data"]}
    if root is not None:
        if not data.get("root"):
            raise NotARunError(f"{data['name']} is not read from a folder, so not from {root}.")
        data["root"] = root
    return {**settings, "data": data}


def check_present(root: str | Path | None, way_out: str) -> None:
    """Raise NotARunError if the folder or file of a run's images does not exist.

    >>> check_present("/gone", "data.root=<folder>")
    Traceback (most recent call last):
    launchers.past_config.NotARunError: its images are not at /gone; if they were moved, set ...
    """
    if root is not None and not Path(root).expanduser().exists():
        raise NotARunError(f"its images are not at {root}; if they were moved, set {way_out}.")


def folders_beside(folder: Path) -> dict[str, str]:
    """`paths` of a run by its location: `data` and `cache` beside the folder `runs`.

    >>> folders_beside(Path("/me/runs/default/lenet-digits-n500-s0-0123abcd"))["data"]
    '/me/data'
    """
    here = folder.resolve()
    root = next((one.parent for one in here.parents if one.name == "runs"), Path.cwd())
    return {name: str(root / name) for name in ("runs", "data", "cache")}


def past_name(folder: Path, runs: str) -> str:
    """`name` of a run by its location below the folder `runs`, or below a folder called `runs`.

    >>> past_name(Path("/me/out/study/a/key"), "/me/out")
    'study/a'
    >>> past_name(Path("/me/runs/study/a/key"), "/you/runs")
    'study/a'
    """
    here = folder.resolve().parent
    for root in (Path(runs).expanduser().resolve(), Path(folders_beside(folder)["runs"])):
        if here != root and here.is_relative_to(root):
            return here.relative_to(root).as_posix()
    return here.name


def _located(node: Any, paths: dict[str, str]) -> Any:
    """A copy with folders in place of `<data>` and the like, as records write `paths.data`."""
    if isinstance(node, dict):
        return {key: _located(value, paths) for key, value in node.items()}
    if isinstance(node, list):
        return [_located(value, paths) for value in node]
    if isinstance(node, str):
        for name, folder in paths.items():
            if node == f"<{name}>" or node.startswith(f"<{name}>/"):
                return folder + node.removeprefix(f"<{name}>")
    return node
