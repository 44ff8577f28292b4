"""A run's name is a function of its settings, so the same command finds its own past."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

# What never changes a number by itself: where things lie, who is told, what happens on failure, and
# what data, tasks and probes only refer to.
SILENT = (
    "paths",
    "logger",
    "resume",
    "on_error",
    "name",
    "preset",
    "rules",
    "probes",
    "checkpoint_seconds",
    "compile",
)
# Of model and data: what only feeds other settings (the rate and batch size in use are elsewhere).
SILENT_MODEL = ("lr", "lr_on", "batch_size", "published_batch_size")
SILENT_DATA = ("classes", "default_task")
# Of the trainer: the machine. The batch size is the global one, so a run means the same on any.
SILENT_TRAINER = (
    "_target_", "accelerator", "devices", "strategy", "num_nodes", "profiler", "sync_batchnorm",
)  # fmt: skip


def masked(plain: dict[str, Any]) -> dict[str, Any]:
    """The configuration with `<data>` for `paths.data` and so on.

    The same data elsewhere is the same run, while a `data.root` of one's own tells two image sets
    apart.
    """
    return {**plain, "paths": {name: f"<{name}>" for name in plain["paths"]}}


def settings_of(resolved: dict[str, Any]) -> dict[str, Any]:
    """Everything that changes a number: of a masked configuration whose `${...}` are replaced."""
    settings = {k: v for k, v in resolved.items() if k not in SILENT}
    for group, silent in (
        ("trainer", SILENT_TRAINER), ("model", SILENT_MODEL), ("data", SILENT_DATA)
    ):  # fmt: skip
        node = settings.get(group) or {}
        settings[group] = {k: v for k, v in node.items() if k not in silent}
    data = settings["data"]
    if not settings.get("standin"):
        data.pop("standin", None)
    for name in ("root", "extra"):  # images of one's own: where they are is their name
        if data.get(name) and not data[name].startswith("<"):
            data[name] = str(Path(data[name]).expanduser().resolve())
    return settings


def told_by(key: str) -> dict[str, str]:
    """What a name tells by itself, of a run that has no record yet.

    >>> told_by("vgg13-rsna_ih_ct-n500-s0-0123abcd")
    {'model': 'vgg13', 'data': 'rsna_ih_ct', 'n': '500', 'seed': '0'}
    """
    found = re.fullmatch(r"(?P<model>.+?)-(?P<data>.+)-n(?P<n>\d+)-s(?P<seed>\d+)-\w{8}", key)
    return found.groupdict() if found else {}


def key_of(settings: dict[str, Any]) -> str:
    """`<model>-<data>-n<n>-s<seed>-<hash8>`.

    >>> key_of({"model": {"name": "lenet"}, "data": {"name": "digits"}, "n": 500, "seed": 0})
    'lenet-digits-n500-s0-...'
    """
    text = json.dumps(settings, sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    model, data = settings["model"]["name"], settings["data"]["name"]
    return f"{model}-{data}-n{settings['n']}-s{settings['seed']}-{digest}"
