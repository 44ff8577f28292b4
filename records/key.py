"""The key of a run, a function of its settings and data, so that the same command finds it."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from records.data_identity import DataIdentity

# Settings that change no number by themselves: locations, loggers, handling of failures, and values
# that take effect only where data, tasks and probes refer to them.
SILENT = (
    "paths", "logger", "resume", "on_error", "name", "preset", "preparation", "probes",
    "checkpoint_seconds", "compile", "threads",
)  # fmt: skip
# Of model and data: defaults of other settings (optimizer.lr and batch_size are those in use).
SILENT_MODEL = ("lr", "lr_on", "batch_size", "published_batch_size")
SILENT_DATA = ("classes", "default_task", "flag")
# Of the trainer: the machine. The batch size is the global one, whatever the number of devices.
SILENT_TRAINER = (
    "_target_", "accelerator", "devices", "strategy", "num_nodes", "profiler", "sync_batchnorm",
)  # fmt: skip
# Settings for which 1 and 1.0 differ: 1 batch, or all of them.
COUNT_OR_SHARE = ("limit_train_batches", "limit_test_batches", "overfit_batches")
# Settings of readers that are newer than the first keys of runs: left out where they are null.
LATER = {"Npz": ("window",), "ImageFolder": ("label_pattern", "leave_out")}
# Settings without effect if nothing is trained (model=none).
TRAINING = (
    "epochs", "optimizer", "schedule", "loss", "stop", "augmentation", "batch_size", "precision",
    "trainer", "select",
)  # fmt: skip


def masked(plain: dict[str, Any]) -> dict[str, Any]:
    """The configuration with `<data>` for `paths.data` and so on.

    So the key does not depend on where data, runs and cache are.
    """
    return {**plain, "paths": {name: f"<{name}>" for name in plain["paths"]}}


def settings_of(resolved: dict[str, Any]) -> dict[str, Any]:
    """The settings that can change a number, from a masked and resolved configuration."""
    settings = {k: v for k, v in resolved.items() if k not in SILENT}
    for group, silent in (
        ("trainer", SILENT_TRAINER), ("model", SILENT_MODEL), ("data", SILENT_DATA)
    ):  # fmt: skip
        node = settings.get(group) or {}
        settings[group] = {k: v for k, v in node.items() if k not in silent}
    probes = settings.get("callbacks") or {}
    if None in probes.values():  # left out
        settings["callbacks"] = {name: own for name, own in probes.items() if own is not None}
    data = settings["data"]
    if not settings.get("standin"):
        data.pop("standin", None)
    _leave_out_unused(settings)
    for name in ("root", "extra"):  # in case the images have no fingerprint
        if data.get(name) and not data[name].startswith("<"):
            data[name] = str(Path(data[name]).expanduser().resolve())
    if weights := settings["model"].get("weights"):  # its content is hashed: see `RunPlan.files`
        settings["model"]["weights"] = str(Path(weights).expanduser().resolve())
    return settings


def _leave_out_unused(settings: dict[str, Any]) -> None:
    """Remove settings that have no effect, so that keys do not depend on them."""
    data = settings["data"]
    if data.get("validation") is None:
        data.pop("validation", None)
    if data.get("seed") == settings.get("seed"):
        data.pop("seed", None)
    if settings.get("folds") is None:
        settings.pop("folds", None)
        settings.pop("fold", None)
    if settings.get("select") == "last":
        del settings["select"]
    reader = data.get("reader") or {}
    later = LATER.get(str(reader.get("_target_")).rpartition(".")[2], ())
    if any(name in reader and reader[name] is None for name in later):
        data["reader"] = {
            name: value for name, value in reader.items() if name not in later or value is not None
        }
    _leave_out_unloaded(settings)


def _leave_out_unloaded(node: Any) -> None:
    """The same for weights, in every model: a geometry has one too."""
    if not isinstance(node, dict):
        return
    if "network" in node:
        for name in ("weights", "freeze"):
            if node.get(name) is None:
                node.pop(name, None)
    for child in node.values():
        _leave_out_unloaded(child)


def parse_key(key: str) -> dict[str, str]:
    """The settings in a key, for a run that has no record yet.

    >>> parse_key("vgg13-rsna_ih_ct-n500-s0-0123abcd")
    {'model': 'vgg13', 'data': 'rsna_ih_ct', 'n': '500', 'seed': '0'}
    """
    found = re.fullmatch(r"(?P<model>.+?)-(?P<data>.+)-n(?P<n>\d+)-s(?P<seed>\d+)-\w{8}", key)
    return found.groupdict() if found else {}


def key_of(settings: dict[str, Any], data: DataIdentity | None = None) -> str:
    """`<model>-<data>-n<n>-s<seed>-<hash8>`.

    `data` is None if the settings determine images and labels, or if they could not be listed.

    >>> key_of({"model": {"name": "lenet"}, "data": {"name": "digits"}, "n": 500, "seed": 0})
    'lenet-digits-n500-s0-...'
    """
    text = canonical(settings, data.replaces if data else ()) + _fit(settings)
    if data is not None:
        text += data.fingerprint
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    model, data = settings["model"]["name"], settings["data"]["name"]
    return f"{model}-{data}-n{settings['n']}-s{settings['seed']}-{digest}"


def _fit(settings: dict[str, Any]) -> str:
    """Distinguishes runs from older ones that fitted on their validation images too."""
    task = settings.get("task") or {}
    relabelled = task.get("noise") or "function" in str(task.get("_target_"))
    fits = settings["data"].get("transforms") or relabelled
    return "fitted" if fits and settings["data"].get("validation") is not None else ""


def canonical(settings: dict[str, Any], places: tuple[str, ...] = ()) -> str:
    """The settings as a text that is the same for all ways to write them.

    `lr=1` and `lr=1.0` are the same; if nothing is trained, settings of training are left out, as
    are `places`, the dotted names of settings that only locate files.

    >>> canonical({"lr": 1.0, "noise": 0}) == canonical({"lr": 1, "noise": -0.0})
    True
    """
    if not trains(settings):
        settings = {name: value for name, value in settings.items() if name not in TRAINING}
    return json.dumps(_canonical(settings, "", frozenset(places)), sort_keys=True)


def trains(settings: Mapping[str, Any]) -> bool:
    """Whether a network is trained: `model=none` only measures the data.

    >>> trains({"model": {"name": "none", "network": None}}), trains({"model": {"name": "mlp"}})
    (False, True)
    """
    return (settings.get("model") or {}).get("network", True) is not None


def _canonical(node: Any, name: str, left_out: frozenset[str]) -> Any:
    if isinstance(node, dict):
        inner = {key: f"{name}.{key}" if name else str(key) for key in node}
        return {
            key: _canonical(value, inner[key], left_out)
            for key, value in node.items()
            if inner[key] not in left_out
        }
    if isinstance(node, list | tuple):
        return [_canonical(value, f"{name}.{i}", left_out) for i, value in enumerate(node)]
    if isinstance(node, float) and node.is_integer():
        return node if name.rpartition(".")[2] in COUNT_OR_SHARE else int(node)
    return node
