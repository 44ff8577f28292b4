"""One run as a row: what identifies it, its settings and its numbers."""

import hashlib
import json
import math
from pathlib import Path
from typing import Any

from analysis.runs.data_names import folder_name
from datamodules.spec import OWN
from records.printable import printable
from records.quantities import in_order
from records.schema import flat

# What identifies a run, in this order; every scalar follows.
IDENTITY = [
    *("key", "experiment", "model", "data", "domain", "n", "seed", "draw", "size", "channels"),
    *("task", "classes", "images", "recipe", "protocol", "preset", "standin", "status", "error"),
    *("bad_data", "command", "started", "finished"),
    *("commit", "data_fingerprint", "notes", "path"),
]
# Of the data: what has a column of its own, or does not touch the images.
NOT_IMAGES = ("_target_", "name", "domain", "size", "channels", "test_n", "seed")
# What has columns of its own (`draw` has the fold), or only measures.
NOT_RECIPE = ("data", "task", "n", "seed", "fold", "folds", "standin", "protocol", "callbacks")
DIFFICULTY = "difficulty"  # folder of the runs of `--difficulty`
SETTINGS, CURVES = "settings", "curves"  # columns that hold objects
RECIPE = "recipe"  # in an archived record whose settings of training had paths


def run_row(record: dict[str, Any], folder: Path, root: Path) -> dict[str, Any]:
    """The row of a checked record that lies in a folder below `root`."""
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
        "draw": draw_name(settings),
        "size": spec.get("size", data.get("size")),
        "channels": spec.get("channels", data.get("channels")),
        "task": task_name(settings.get("task") or {}),
        "classes": len(spec.get("classes") or ()),
        "images": images_name(data),
        "recipe": record.get(RECIPE) or recipe(settings),
        "protocol": record.get("protocol") or "unknown",
        "preset": record.get("preset") or "unknown",
        "standin": bool(spec.get("standin", record.get("standin", False))),
        "status": record["status"],
        "error": record.get("error"),
        "bad_data": bool(record.get("bad_data")),  # it failed on its data: nothing was trained
        "command": record.get("command"),
        "started": record.get("started"),
        "finished": record.get("finished") or "",
        "commit": (record.get("git") or {}).get("commit"),
        "data_fingerprint": record.get("data_fingerprint"),
        "notes": "; ".join(record.get("notes") or []),  # what was left out of the data
        "path": folder,
        SETTINGS: settings,
    }
    scalars = record.get("scalars") or {}
    return identity | {name: _number(scalars[name]) for name in in_order(scalars)}


def _number(value: float | None) -> float:
    """A float; NaN for None and for values that are not finite."""
    return float(value) if value is not None and math.isfinite(value) else math.nan


def _experiment(command: str, folder: Path, root: Path) -> str:
    """`experiment=` of the command, else the run's folder relative to `root`."""
    for word in command.split():
        if word.startswith("experiment="):
            return word.removeprefix("experiment=")
    inside = folder.relative_to(root).parts[:-1] or folder.resolve().parts[-2:-1]
    if folder.resolve().parts[-3:-2] == (DIFFICULTY,):  # each command has a folder of its own
        inside = (*inside[:-2], DIFFICULTY)
    return str(printable("/".join(inside)))


def task_name(task: dict[str, Any]) -> str:
    """A short name of the task; runs with different names have different labels.

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
    """The data set's name; for a user's images that of their folder or file.

    Where several sets of a user have one name, `analysis.runs.data_names` distinguishes them.

    >>> data_name({"name": "image_folder", "root": "/me/leaves"}), data_name({"name": "digits"})
    ('leaves', 'digits')
    """
    root = data.get("root")
    return folder_name(root) if root and data["name"] in OWN else str(data["name"])


def draw_name(settings: dict[str, Any]) -> str:
    """Which images of a data set were drawn: the seed of the draw, and the fold.

    >>> draw_name({"seed": 3, "data": {"name": "digits"}})
    '3'
    >>> draw_name({"seed": 3, "data": {"seed": 0}, "folds": 5, "fold": 2})
    '0, fold 2 of 5'
    """
    seed = settings["data"].get("seed", settings["seed"])
    folds = settings.get("folds")
    return f"{seed}, fold {settings.get('fold')} of {folds}" if folds else str(seed)


def draw_without_fold(draw: str) -> str:
    """The draw whose images the fold divides: two folds train on mostly the same of them.

    >>> draw_without_fold("0, fold 2 of 5"), draw_without_fold("3")
    ('0', '3')
    """
    return draw.partition(",")[0]


def images_name(data: dict[str, Any]) -> str:
    """Reader and transforms as text: runs of one data set that differ here saw different images.

    Where data sets and the cache lie is no part of it, nor is the place of a user's own set.

    >>> crop = {"_target_": "datamodules.corruptions.centre_crop.CentreCrop", "size": 28}
    >>> images_name({"name": "cifar10", "size": 32, "transforms": {"crop": crop}, "test_n": 750})
    'transforms.crop=CentreCrop transforms.crop.size=28'
    >>> images_name({"name": "rsna_ih_ct", "reader": {"scaling": "window", "index": "<cache>/i"}})
    'reader.scaling=window'
    >>> images_name({"name": "mnist", "root": "<data>/mnist"}), images_name({"root": "/my/leaves"})
    ('', 'root=/my/leaves')
    >>> images_name({"name": "image_folder", "root": "/my/leaves"})  # the data set has its name
    ''
    """
    parts = []
    left_out = (*NOT_IMAGES, *(["root"] if data.get("name") in OWN else []))
    seen = {name: value for name, value in data.items() if name not in left_out}
    for name, value in sorted(dict(flat(seen)).items()):  # an archive has another order
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
    >>> recipe({"folds": 5, "fold": 0}) == recipe({"folds": 5, "fold": 1}) == recipe({})
    True
    """
    kept = {name: value for name, value in settings.items() if name not in NOT_RECIPE}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:8]
