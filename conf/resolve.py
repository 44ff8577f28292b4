"""A configuration as plain containers, with its `${...}` replaced.

OmegaConf does the same with a parser, in about 20 ms per configuration, too slow to plan a sweep of
1,000 runs before its first run starts. The forms that our files use (`${a.b}`, alone or inside
text, and `oc.select` of these) are replaced here in 0.2 ms; other forms are left to OmegaConf.
"""

import re
from typing import Any

from omegaconf import DictConfig, OmegaConf

REFERENCE = re.compile(r"\$\{([A-Za-z_][\w.]*)\}")
SELECT = re.compile(r"\$\{oc\.select:((?:[\w.]|\$\{[A-Za-z_][\w.]*\})+),\s*(\$\{[\w.]+\})\}")
MISSING = "???"
ABSENT = object()

Plain = dict[str, Any]


class _UnusualError(Exception):
    """A form that is left to OmegaConf."""


def plain_of(config: DictConfig) -> Plain:
    """Plain containers, with `${...}` and `???` as written."""
    plain = OmegaConf.to_container(config, resolve=False, enum_to_str=True)
    assert isinstance(plain, dict)
    return {str(key): value for key, value in plain.items()}


def resolve(plain: Plain) -> Plain:
    """A copy in which every `${...}` is replaced by its value; OmegaConf's error if it has none.

    >>> resolve({"lr": 0.1, "optimizer": {"lr": "${lr}"}, "root": "lr-${lr}"})
    {'lr': 0.1, 'optimizer': {'lr': 0.1}, 'root': 'lr-0.1'}
    """
    try:
        resolved: Plain = _walk(plain, plain)
    except (_UnusualError, RecursionError):  # or a wrong form, for which OmegaConf has a message
        resolved = OmegaConf.to_container(OmegaConf.create(plain), resolve=True)  # type: ignore[assignment]
    return resolved


def look_up(plain: Plain, name: str) -> Any:
    """One value, resolved; None if there is none.

    >>> look_up({"home": "/h", "paths": {"runs": "${home}/runs"}}, "paths.runs")
    '/h/runs'
    """
    try:
        found = _find(name, plain)
        return None if found is ABSENT else found
    except (_UnusualError, RecursionError):
        return OmegaConf.select(OmegaConf.create(plain), name)


def replaced(plain: Plain, changes: dict[str, Any]) -> Plain:
    """A copy with some values changed, by their dotted names; unchanged nodes are shared.

    >>> replaced({"a": {"b": 1, "c": 2}}, {"a.b": 3})
    {'a': {'b': 3, 'c': 2}}
    """
    copy = dict(plain)
    for name, value in changes.items():
        *parents, last = name.split(".")
        node = copy
        for parent in parents:
            inner = node[parent]
            node[parent] = list(inner) if isinstance(inner, list) else dict(inner)
            node = node[parent]
        node[int(last) if isinstance(node, list) else last] = value
    return copy


def _walk(node: Any, root: Plain) -> Any:
    if isinstance(node, str):
        return _value(node, root) if "${" in node else node
    if isinstance(node, dict):
        return {key: _walk(value, root) for key, value in node.items()}
    if isinstance(node, list):
        return [_walk(value, root) for value in node]
    return node


def _value(text: str, root: Plain) -> Any:
    whole = REFERENCE.fullmatch(text)
    if whole:
        return _look_up(whole[1], root)
    choice = SELECT.fullmatch(text)
    if choice:
        found = _find(_inside(choice[1], root), root)
        return _value(choice[2], root) if found is ABSENT else found
    return _inside(text, root)


def _inside(text: str, root: Plain) -> str:
    if "\\" in text or "${" in REFERENCE.sub("", text):
        raise _UnusualError(text)
    return REFERENCE.sub(lambda match: str(_look_up(match[1], root)), text)


def _look_up(name: str, root: Plain) -> Any:
    found = _find(name, root)
    if found is ABSENT:
        raise _UnusualError(name)
    return found


def _find(name: str, root: Plain) -> Any:
    node: Any = root
    for part in name.split("."):
        if isinstance(node, str) and "${" in node:
            node = _walk(node, root)
        if isinstance(node, list):
            raise _UnusualError(name)
        if not isinstance(node, dict) or part not in node:
            return ABSENT
        node = node[part]
    if node == MISSING:
        raise _UnusualError(name)
    return _walk(node, root)
