"""Everything wrong with a configuration, as sentences, before any data is touched."""

import difflib
import math
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from conf.resolve import Plain, look_up, missing_keys, resolve
from conf.signature import exists, signature_of

# The smallest and largest value of a setting, and the words it may be, where no signature tells.
LEAST = {
    "n": 1, "seed": 0, "epochs": 0, "batch_size": 1, "checkpoint_seconds": 0, "data.size": 1,
    "model.members": 1, "model.lr": 0, "optimizer.lr": 0, "task.noise": 0, "trainer.num_nodes": 1,
}  # fmt: skip
MOST = {"task.noise": 1}
CHOICES = {
    "model.head": ("logits", "single"),
    "model.normalize": ("none", "dataset", "centre", "image", "channel"),
    "logger.mode": ("auto", "online", "offline"),
    "trainer.accelerator": ("auto", "cpu", "gpu", "cuda", "mps", "tpu"),
}
# What a configuration may build. A file that came with somebody's run must not start a program:
# `_target_: os.system` is refused before anything is imported. Packages of one's own are named in
# the environment, which no file can change: PLUMBLINE_TARGETS=mylab,ourlib.
TARGETS = (
    *("datamodules.", "lightning_modules.", "callbacks.", "torch.nn.", "torch.optim."),
    "pytorch_lightning.Trainer",
)
# Hydra's own words in a node, which are no arguments of its target.
HYDRA_KEYS = {"_target_", "_partial_", "_recursive_", "_convert_", "_args_"}


def nearest(name: str, names: Iterable[str]) -> str:
    """' did you mean `x`?' for the closest name, else an empty string."""
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f" did you mean `{close[0]}`?" if close else ""


def problems_of(plain: Plain) -> list[str]:
    """Every problem of a composed configuration; empty when it can run."""
    open_keys = sorted(missing_keys(plain))
    if open_keys:
        return [f"`{key}` has no value: set {key}=..." for key in open_keys]
    try:
        settings = resolve(plain)
    except OmegaConfBaseException as error:
        return [f"`{error.full_key}`: {str(error).splitlines()[0]}"]
    return [*_ranges(settings), *_targets(settings)]


def _ranges(c: dict[str, Any]) -> Iterator[str]:
    """Values that have the right type and still cannot be."""
    for name, least in LEAST.items():
        value, most = look_up(c, name), MOST.get(name, math.inf)
        if value is None or (isinstance(value, int | float) and _is_in(value, least, most)):
            continue
        limits = f"{least} or more" if most == math.inf else f"from {least} to {most}"
        limits += ", and finite" if value == math.inf else ""
        yield f"`{name}={value}`: must be {limits}."
    for name, choices in CHOICES.items():
        value = look_up(c, name)
        if value not in choices:
            hint = nearest(str(value), choices)
            yield f"`{name}={value}`: must be {' or '.join(choices)}.{hint}"
    parts = Path(c["name"]).parts
    if not parts or ".." in parts or parts[0] == "/":
        yield f"`name={c['name']}`: a folder below paths.runs; set paths.runs for another place."
    classes = _classes(c)
    if classes and c["n"] >= 1 and c["n"] % classes:
        what = (
            "must be even for a balanced binary task"
            if classes == 2
            else (f"must be a multiple of {classes} for a balanced task of {classes} classes")
        )
        near = max(classes, c["n"] - c["n"] % classes)
        yield f"`n={c['n']}`: {what}; try n={near}."
    test_n = c["data"].get("test_n")
    if isinstance(test_n, int) and (test_n < 1 or (classes and test_n % classes)):
        yield f"`data.test_n={test_n}`: must be a positive multiple of {classes or 1}."
    if c["model"].get("head") == "single" and classes and classes != 2:
        yield (
            f"`model.head=single`: one logit needs two classes, this task has {classes}; "
            "use model.head=logits or task=pair."
        )
    loss = str((c["loss"] or {}).get("_target_", "null")).rpartition(".")[2]
    if c["model"].get("head") == "single" and loss != "CrossEntropy":
        yield (
            f"`model.head=single`: one logit has its own loss, {loss} is for several; "
            "use model.head=logits or leave out loss."
        )
    if c["standin"] and not c["data"].get("standin"):
        yield f"`standin=true`: `{c['data']['name']}` has no stand-in and needs none."


def _is_in(value: float, least: float, most: float) -> bool:
    """Whether a number lies within limits; neither infinity nor NaN does."""
    return math.isfinite(value) and least <= value <= most


def _classes(c: dict[str, Any]) -> int | None:
    """Number of classes as far as the configuration tells."""
    task = str((c["task"] or {}).get("_target_", "")).rpartition(".")[2]
    kind = c["task"].get("kind") if task == "default" else task.lower()
    if (c["task"] or {}).get("balanced") is False:
        return None
    if kind == "all":
        return c["data"].get("classes")
    return 2 if kind in ("pair", "group", "finding", "function") else None


def _targets(node: Any, path: str = "") -> Iterator[str]:
    """Compare every node that has a `_target_` with that target's own signature."""
    if isinstance(node, dict):
        if isinstance(node.get("_target_"), str):
            yield from _arguments(node, path)
        for name, child in node.items():
            yield from _targets(child, f"{path}.{name}" if path else str(name))
    elif isinstance(node, list):
        for i, child in enumerate(node):
            yield from _targets(child, f"{path}.{i}")


def _arguments(node: dict[str, Any], path: str) -> Iterator[str]:
    target = node["_target_"]
    own = [
        f"{name.strip()}." for name in os.environ.get("PLUMBLINE_TARGETS", "").split(",") if name
    ]
    if not target.startswith((*TARGETS, *own)):
        package = target.split(".")[0]
        yield (
            f"`{path}._target_={target}`: not among what a configuration may build; if {package} "
            f"is yours, set PLUMBLINE_TARGETS={package} in the environment."
        )
        return
    if not exists(target):
        yield f"`{path}._target_={target}`: there is no such class or function."
        return
    signature = signature_of(target)
    if signature is None:
        return
    for name, value in node.items():
        if name in HYDRA_KEYS:
            continue
        if name not in signature:
            hint = nearest(name, signature) or f" it takes {', '.join(signature)}."
            yield f"`{path}.{name}`: `{target.rpartition('.')[2]}` has no such argument;{hint}"
            continue
        accepts = signature[name].allowed
        if isinstance(value, dict) and "_target_" in value:
            continue  # becomes an object; its own node is checked
        if not accepts.accepts(value):
            hint = nearest(str(value), (str(v) for v in accepts.values))
            yield f"`{path}.{name}={value}`: must be {accepts}.{hint}"


def keys_of(config: Any, prefix: str = "") -> Iterator[str]:
    """All dotted keys of a configuration, for suggestions."""
    if not isinstance(config, DictConfig):
        return
    for name in map(str, config):
        yield f"{prefix}{name}"
        if not (OmegaConf.is_missing(config, name) or OmegaConf.is_interpolation(config, name)):
            yield from keys_of(config[name], f"{prefix}{name}.")
