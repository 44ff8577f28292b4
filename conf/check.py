"""Everything wrong with a configuration, as sentences, before any data are read."""

import math
import sys
from collections.abc import Iterator
from typing import Any

from omegaconf.errors import OmegaConfBaseException

from conf.held_out import FROM_FILES, problems_of_held_out
from conf.names import problems_of_names
from conf.nearest import nearest
from conf.pretrained import problems_of_pretrained
from conf.resolve import MISSING, Plain, look_up, resolve
from conf.targets import problems_of_targets
from records.schema import nodes

# Smallest value, largest value and choices of settings that no signature has.
LEAST = {
    "seed": 0, "epochs": 0, "batch_size": 1, "checkpoint_seconds": 0, "data.size": 1,
    "model.members": 1, "model.lr": 0, "optimizer.lr": 0, "task.noise": 0, "trainer.num_nodes": 1,
}  # fmt: skip
MOST = {"task.noise": 1}
WORDS = {"n": "all", "threads": "auto"}  # settings that are this word or a number from 1
CHOICES = {
    "model.head": ("logits", "single"),
    "model.normalize": ("none", "dataset", "centre", "image", "channel", "imagenet"),
    "logger.mode": ("auto", "online", "offline"),
    "trainer.accelerator": ("auto", "cpu", "gpu", "cuda", "mps", "tpu"),
}


def problems_of(plain: Plain) -> list[str]:
    """Every problem of a composed configuration; empty if it can run."""
    open_keys = sorted(name for name, value in nodes(plain) if value == MISSING)
    if open_keys:
        return [f"`{key}` has no value: set {key}=..." for key in open_keys]
    try:
        settings = resolve(known_n(plain))
    except OmegaConfBaseException as error:
        return [f"`{error.full_key}`: {str(error).splitlines()[0]}"]
    return [*_ranges({**settings, "n": plain["n"]}), *problems_of_targets(settings)]


def known_n(plain: Plain) -> Plain:
    """The configuration with some number for `n=all`; the true one needs the list of images."""
    return {**plain, "n": 1} if plain["n"] == "all" else plain


def _ranges(c: dict[str, Any]) -> Iterator[str]:
    """Values of the right type that are out of range or do not fit together."""
    for name, least in LEAST.items():
        value, most = look_up(c, name), MOST.get(name, sys.float_info.max)
        if value is None or (isinstance(value, int | float) and least <= value <= most):
            continue
        limits = f"from {least} to {most}" if name in MOST else f"{least} or more"
        limits += ", and finite" if value == math.inf else ""
        yield f"`{name}={value}`: must be {limits}."
    for name, choices in CHOICES.items():
        value = look_up(c, name)
        if value not in choices:
            hint = nearest(str(value), choices)
            yield f"`{name}={value}`: must be {' or '.join(choices)}.{hint}"
    yield from problems_of_names(c)
    for name, word in WORDS.items():
        if c[name] != word and not (type(c[name]) is int and c[name] >= 1):
            yield f"`{name}={c[name]}`: must be a whole number from 1, or {word}."
    if c["n"] == "all" and c["data"]["_target_"] != FROM_FILES:
        yield f"`n=all`: `{c['data']['name']}` is generated, as many images as n says; set n=500."
    yield from problems_of_held_out(c)
    yield from problems_of_pretrained(c)
    known = _classes(c)
    classes = known if _is_balanced(c) else None
    if classes and type(c["n"]) is int and c["n"] >= 1 and c["n"] % classes:
        multiple = f"must be a multiple of {classes} for a balanced task of {classes} classes"
        what = "must be even for a balanced binary task" if classes == 2 else multiple
        near = max(classes, c["n"] - c["n"] % classes)
        yield f"`n={c['n']}`: {what}; try n={near}."
    test_n = c["data"].get("test_n")
    if isinstance(test_n, int) and (test_n < 1 or (classes and test_n % classes)):
        yield f"`data.test_n={test_n}`: must be a positive multiple of {classes or 1}."
    yield from _head(c, known)
    if c["standin"] and not c["data"].get("standin"):
        yield f"`standin=true`: `{c['data']['name']}` has no stand-in and needs none."


def _head(c: dict[str, Any], classes: int | None) -> Iterator[str]:
    """A single logit with a task or loss that needs several."""
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


def _classes(c: dict[str, Any]) -> int | None:
    """Number of classes, if the configuration determines it."""
    kind, task = _kind(c), c["task"] or {}
    if kind == "all":
        return c["data"].get("classes")
    if kind == "random":
        return task.get("classes") or c["data"].get("classes")
    if kind == "group":
        return max(2, len(task.get("groups") or ()))  # a single group is compared with the rest
    return 2 if kind in ("pair", "finding", "function") else None


def _is_balanced(c: dict[str, Any]) -> bool:
    """Whether n is divided equally among the classes; random labels are as many as there are."""
    return _kind(c) != "random" and (c["task"] or {}).get("balanced") is not False


def _kind(c: dict[str, Any]) -> str:
    task = str((c["task"] or {}).get("_target_", "")).rpartition(".")[2]
    return str(c["task"].get("kind")) if task == "default" else task.lower()
