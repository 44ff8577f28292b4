"""Which classes and functions a configuration may build, and with which arguments.

A file that came with somebody's run must not start a program. So a `_target_` is followed to the
class or function that it names, which must be in this repository, in torch's networks or
optimisers, or Lightning's trainer. Users allow packages of their own by an environment variable,
which no file can change: PLUMBLINE_TARGETS=mylab,ourlib.
"""

import ast
import os
from collections.abc import Iterator
from typing import Any

from conf.nearest import nearest
from conf.signature import signature_of
from conf.source import find_definition
from records.schema import nodes

ALLOWED = ("datamodules.", "lightning_modules.", "callbacks.", "torch.nn.", "torch.optim.")
# Elsewhere only classes are allowed: `torch.nn` has functions that import any module by name.
FUNCTIONS = ("datamodules.standins.", "datamodules.tasks.", "lightning_modules.schedules.")
TRAINER = "pytorch_lightning.trainer.trainer.Trainer"
# Hydra's own keys in a node, which are not arguments of its target.
HYDRA_KEYS = {"_target_", "_partial_", "_recursive_", "_convert_", "_args_"}


def problems_of_targets(settings: dict[str, Any]) -> Iterator[str]:
    """Problems of every node with a `_target_`: whether it is allowed, and its arguments."""
    for path, node in [("", settings), *nodes(settings)]:
        if isinstance(node, dict) and "_target_" in node:
            yield from _problems_of_node(node, path)


def _problems_of_node(node: dict[str, Any], path: str) -> Iterator[str]:
    target = node["_target_"]
    if problem := _problem_of_target(target):
        yield f"`{path}._target_={target}`: {problem}"
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
        accepts = signature[name]
        if isinstance(value, dict) and "_target_" in value:
            continue  # it becomes an object, and is checked as a node of its own
        if not accepts.accepts(value):
            hint = nearest(str(value), (str(v) for v in accepts.values))
            yield f"`{path}.{name}={value}`: must be {accepts}.{hint}"


def _problem_of_target(target: Any) -> str:
    """Why a target cannot be built; empty if it can."""
    if not isinstance(target, str):
        return "must be the dotted name of a class or function."
    own = [name.strip() for name in os.environ.get("PLUMBLINE_TARGETS", "").split(",")]
    own_packages = tuple(f"{name}." for name in own if name)
    allowed = (*ALLOWED, *own_packages)
    package = target.split(".")[0]
    if not target.startswith((*allowed, "pytorch_lightning.")):
        return (
            f"not among what a configuration may build; if {package} is yours, set "
            f"PLUMBLINE_TARGETS={package} in the environment."
        )
    found = find_definition(target)
    if found is None:
        return "there is no such class or function."
    if not found.name.startswith(allowed) and found.name != TRAINER:
        return f"is {found.name}, which is not among what a configuration may build."
    if isinstance(found.node, ast.FunctionDef) and not found.name.startswith(
        (*FUNCTIONS, *own_packages)
    ):
        return "is a function; a configuration builds classes."
    return ""
