"""Any folder of runs as one tidy table; what cannot be read is counted and listed."""

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pandas import DataFrame

from analysis.columns import derive
from records.run_folder import RunFolder

# What identifies a run, in this order; every scalar follows.
IDENTITY = [
    *("key", "experiment", "model", "data", "domain", "n", "seed", "size", "channels", "task"),
    *(
        "images",
        "recipe",
        "protocol",
        "preset",
        "standin",
        "status",
        "error",
        "bad_data",
        "command",
        "started",
        "finished",
    ),
    *("commit", "notes", "path"),
]
OWN = ("image_folder", "npz")  # images of one's own: where they are is their name
# Of the data: what has a column of its own, or does not touch the images.
NOT_IMAGES = ("_target_", "name", "domain", "size", "channels", "test_n")
# What has columns of its own, or only measures.
NOT_RECIPE = ("data", "task", "n", "seed", "standin", "protocol", "callbacks")
MEASUREMENT = ["key", "epoch", "step", "name", "value"]


@dataclass(frozen=True)
class Runs:
    """Everything that was read."""

    table: DataFrame  # one row per run: IDENTITY, then every scalar
    metrics: DataFrame  # one row per measurement: MEASUREMENT
    settings: dict[str, dict[str, Any]]  # by key, flat: "data.size" -> 224
    broken: DataFrame  # path, reason: what could not be read
    copies: int  # runs found in more than one place; one of each is kept

    @property
    def done(self) -> DataFrame:
        """The finished runs."""
        return self.table[self.table.status == "done"].reset_index(drop=True)


def read_runs(folders: Iterable[Path]) -> Runs:
    """Read every `record.json` and `metrics.csv` below some folders.

    A run that is unfinished has its row, with its status and no scalars. Nothing is changed on
    disk: runs may still be going on.

    Args:
        folders: run folders, experiments or whole trees of them.

    Returns:
        The tidy table, the measurements in long form, and what was broken.

    Raises:
        ValueError: If a folder is not there, or no record lies below any of them.
    """
    rows: list[dict[str, Any]] = []
    measurements: list[list[tuple[str, int, int, str, float]]] = []  # by row
    settings: dict[str, dict[str, Any]] = {}
    broken: list[dict[str, str]] = []
    folders = list(folders)
    for path, root in _records_below(folders):
        try:
            record = RunFolder(path.parent).judged(json.loads(path.read_text()))
            row = _row(record, path.parent, root)
            settings[row["key"]] = dict(_flat(record["settings"]))
        except Exception as error:  # other people's records hold anything; each is told
            broken.append({"path": str(path), "reason": f"{type(error).__name__}: {error}"})
            continue
        rows.append(row)
        measurements.append([])
        try:
            measurements[-1] = _measurements(path.with_name("metrics.csv"), rows[-1]["key"])
        except Exception as error:
            reason = f"metrics.csv: {error}"
            broken.append({"path": str(path.with_name("metrics.csv")), "reason": reason})
    if not rows and not broken:
        looked = ", ".join(str(folder) for folder in folders)
        raise ValueError(f"no record.json below {looked}; `python launch.py` makes the first run")
    table = DataFrame(rows, columns=None if rows else IDENTITY)
    table = table.astype({"standin": bool, "bad_data": bool})  # of no rows they would be objects
    # The same key is the same run: the finished one counts, and of several the last.
    table["finished"] = table["finished"].fillna("")
    order = table.assign(_done=table.status == "done").sort_values(["_done", "finished"])
    kept = table.loc[sorted(order.drop_duplicates("key", keep="last").index)]
    return Runs(
        table=derive(kept.reset_index(drop=True)),
        metrics=DataFrame(
            [m for row in kept.index for m in measurements[row]], columns=MEASUREMENT
        ),
        settings=settings,
        broken=DataFrame(broken, columns=["path", "reason"]),
        copies=len(table) - len(kept),
    )


def _records_below(folders: list[Path]) -> Iterator[tuple[Path, Path]]:
    seen: set[Path] = set()
    for folder in folders:
        if not folder.is_dir():
            raise ValueError(f"{folder} is not a folder; give the folder of a run or of many")
        found = {path for name in ("record.json", "record.broken.json") for path in
                 folder.rglob(name)}  # fmt: skip
        for path in sorted(found):
            if path.resolve() not in seen:
                seen.add(path.resolve())
                yield path, folder


def _row(record: dict[str, Any], folder: Path, root: Path) -> dict[str, Any]:
    settings, spec = record["settings"], record.get("spec") or {}
    data = settings["data"]
    identity = {
        "key": record["key"],
        "experiment": _experiment(record.get("command") or "", folder, root),
        "model": str(settings["model"]["name"]),
        "data": data_name(data),
        "domain": spec.get("domain") or data.get("domain") or "synthetic",
        "n": int(settings["n"]),
        "seed": int(settings["seed"]),
        "size": spec.get("size", data.get("size")),
        "channels": spec.get("channels", data.get("channels")),
        "task": task_name(settings.get("task") or {}),
        "images": images_name(data),
        "recipe": recipe(settings),
        "protocol": record.get("protocol") or "unknown",
        "preset": record.get("preset") or "unknown",
        "standin": bool(spec.get("standin", record.get("standin", False))),
        "status": record["status"],
        "error": record.get("error"),
        "bad_data": bool(record.get("bad_data")),  # it failed on its data: nothing was trained
        "command": record.get("command"),
        "started": record.get("started"),
        "finished": record.get("finished"),
        "commit": (record.get("git") or {}).get("commit"),
        "notes": "; ".join(record.get("notes") or []),  # what was left out of the data
        "path": str(folder),
    }
    scalars = {name: _number(value) for name, value in (record.get("scalars") or {}).items()}
    return identity | scalars


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _experiment(command: str, folder: Path, root: Path) -> str:
    """`experiment=` of the command, else the run's folder as seen from beside the one given."""
    for word in command.split():
        if word.startswith("experiment="):
            return word.removeprefix("experiment=")
    inside = folder.resolve().relative_to(root.resolve()).parts[:-1]
    return "/".join(inside or (folder.resolve().parent.name,))


def task_name(task: dict[str, Any]) -> str:
    """What the labels are, in a word: runs of different words are different tasks.

    >>> task_name({"_target_": "datamodules.tasks.finding.Finding", "finding": "epidural"})
    'finding epidural'
    >>> task_name({"_target_": "datamodules.tasks.pair.Pair", "classes": [1, 2], "noise": 0.2})
    'pair 1 2, label noise 0.2'
    """
    name = str(task.get("_target_", "default")).split(".")[-2:][0]
    if name == "default":
        name = str(task.get("kind", "default"))
    details = [task.get(key) for key in ("finding", "classes", "groups", "kind")]
    chosen = next((d for d in details if d is not None and d != name), None)
    if chosen is not None:
        words = chosen if isinstance(chosen, list) else [chosen]
        name += " " + " ".join(str(word) for word in words)
    return name + (f", label noise {task['noise']}" if task.get("noise") else "")


def data_name(data: dict[str, Any]) -> str:
    """The data set's name; of one's own images that of their folder or file.

    >>> data_name({"name": "image_folder", "root": "/me/leaves"}), data_name({"name": "digits"})
    ('leaves', 'digits')
    """
    root = data.get("root")
    return Path(root).stem if root and data["name"] in OWN else str(data["name"])


def images_name(data: dict[str, Any]) -> str:
    """What was done to which files: runs of one data set that differ here saw different images.

    Where data sets and the cache lie is no part of it.

    >>> crop = {"_target_": "datamodules.corruptions.centre_crop.CentreCrop", "size": 28}
    >>> images_name({"name": "cifar10", "size": 32, "transforms": {"crop": crop}, "test_n": 750})
    'transforms.crop=CentreCrop transforms.crop.size=28'
    >>> images_name({"name": "rsna_ih_ct", "reader": {"scaling": "window", "index": "<cache>/i"}})
    'reader.scaling=window'
    >>> images_name({"name": "mnist", "root": "<data>/mnist"}), images_name({"root": "/my/leaves"})
    ('', 'root=/my/leaves')
    """
    parts = []
    for name, value in _flat({k: v for k, v in data.items() if k not in NOT_IMAGES}):
        if name.endswith("._target_"):
            parts.append(f"{name.removesuffix('._target_')}={str(value).rpartition('.')[2]}")
        elif value is not None and not name.endswith("_partial_") and str(value)[:1] != "<":
            parts.append(f"{name}={value}")
    return " ".join(parts)


def recipe(settings: dict[str, Any]) -> str:
    """How a network was trained, as a short hash: epochs, optimiser, augmentation and the like.

    >>> recipe({"epochs": 5, "seed": 0}) == recipe({"epochs": 5, "seed": 1})
    True
    >>> recipe({"epochs": 5, "seed": 0}) == recipe({"epochs": 100, "seed": 0})
    False
    """
    kept = {name: value for name, value in settings.items() if name not in NOT_RECIPE}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:8]


def _measurements(path: Path, key: str) -> list[tuple[str, int, int, str, float]]:
    """Plain rows: a frame per file takes 5 ms, and a sweep has thousands."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        rows = csv.DictReader(file)
        if not set(MEASUREMENT[1:]) <= set(rows.fieldnames or ()):
            raise ValueError(f"lacks a column of {', '.join(MEASUREMENT[1:])}")
        return [
            (key, int(row["epoch"]), int(row["step"]), row["name"], float(row["value"]))
            for row in rows
        ]


def _flat(node: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _flat(value, f"{name}.{key}" if name else str(key))
    else:
        yield name, node
