"""Schema of a record: the type of every entry that readers use."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from records.status import STATUSES

NESTED = 64  # levels of maps and lists; a record of ours has about ten
QUOTING = frozenset("'\"\\")
LARGEST = 2**53  # larger whole numbers are not exact as floats


class BadRecordError(ValueError):
    """A record that is damaged or of another program; with the reason."""


def _is_whole(value: Any, least: int = -LARGEST) -> bool:
    return type(value) is int and least <= value <= LARGEST


def _is_command(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    if not QUOTING.intersection(value):  # shlex takes 0.3 ms a command, and most have no quotes
        return True
    try:
        return shlex.split(value) is not None
    except ValueError:  # an unclosed quotation mark
        return False


def _is_list_of(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(isinstance(one, kind) for one in value)


TEXT = ("a text", lambda value: isinstance(value, str))
WHOLE = ("a whole number", _is_whole)
COUNT = ("a whole number from 1", lambda value: _is_whole(value, 1))
FLAG = ("true or false", lambda value: isinstance(value, bool))
MAP = ("a JSON object", lambda value: isinstance(value, dict))
TEXTS = ("a list of texts", _is_list_of(str))
MAPS = ("a list of JSON objects", _is_list_of(dict))
# Name: type. Every entry may be missing or null; entries that are not listed may be anything.
FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "key": TEXT,
    "status": (f"one of {', '.join(STATUSES)}", lambda value: value in STATUSES),
    "settings": MAP,
    "settings.model": MAP,
    "settings.model.name": TEXT,
    "settings.data": MAP,
    "settings.data.name": TEXT,
    "settings.data.domain": TEXT,
    "settings.data.root": TEXT,
    "settings.data.size": COUNT,
    "settings.data.channels": COUNT,
    "settings.task": MAP,
    "settings.n": COUNT,
    "settings.seed": WHOLE,
    "settings.epochs": ("a whole number from 0", lambda value: _is_whole(value, 0)),
    "scalars": (
        "a JSON object of numbers by stage/name",
        lambda value: (
            isinstance(value, dict)
            and all(
                "/" in name and (v is None or type(v) is float or _is_whole(v))
                for name, v in value.items()
            )
        ),
    ),
    "spec": MAP,
    "spec.domain": TEXT,
    "spec.size": COUNT,
    "spec.channels": COUNT,
    "spec.classes": ("a list", lambda value: isinstance(value, list)),
    "spec.standin": FLAG,
    "protocol": TEXT,
    "preset": TEXT,
    "standin": FLAG,
    "error": TEXT,
    "bad_data": FLAG,
    "command": ("a command", _is_command),
    "started": TEXT,
    "finished": TEXT,
    "data_fingerprint": TEXT,
    "data_set_fingerprint": TEXT,
    "data_listing": TEXT,
    "data_confirmed": TEXT,
    "git": MAP,
    "git.commit": TEXT,
    "notes": TEXTS,
    "sessions": MAPS,
}
# Entries that every run has from its start; tables leave out runs without them.
NEEDED = ("key", "status", "settings.model.name", "settings.data.name", "settings.n",
          "settings.seed")  # fmt: skip


def check_record(record: Any, needed: tuple[str, ...] = ()) -> dict[str, Any]:
    """The record, if every entry has its type and those `needed`, by dotted name, exist.

    Else BadRecordError names the first wrong entry, and what it should be.

    >>> check_record({"status": "done", "spec": {"size": "large"}})
    Traceback (most recent call last):
    records.schema.BadRecordError: spec.size is 'large', not a whole number from 1
    """
    if not isinstance(record, dict):
        raise BadRecordError("not a JSON object")
    if _is_deeper(record, NESTED):
        raise BadRecordError(f"nested more than {NESTED} levels deep")
    for name, (what, is_right) in FIELDS.items():
        value = entry(record, name)
        if value is not None and not is_right(value):
            raise BadRecordError(f"{name} is {_short(value)}, not {what}")
    for name in needed:
        if entry(record, name) in (None, ""):
            raise BadRecordError(f"{name} is missing")
    return record


def entry(node: Any, name: str, default: Any = None) -> Any:
    """The entry with a dotted name in nested maps.

    >>> entry({"spec": {"size": 32}}, "spec.size"), entry({"spec": None}, "spec.size", 0)
    (32, 0)
    """
    for part in name.split("."):
        if not isinstance(node, dict) or part not in node:
            return default
        node = node[part]
    return node


def flat(node: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Nested maps as dotted names and values.

    >>> dict(flat({"data": {"size": 32}, "n": 5}))
    {'data.size': 32, 'n': 5}
    """
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield from flat(value, f"{name}.{key}" if name else str(key))
    else:
        yield name, node


def nodes(node: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Everything inside nested maps and lists, with dotted names, outer nodes first.

    >>> [name for name, _ in nodes({"data": {"sizes": [8, 16]}, "n": 5})]
    ['data', 'data.sizes', 'data.sizes.0', 'data.sizes.1', 'n']
    """
    if not isinstance(node, dict | list):
        return
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        full = f"{name}.{key}" if name else str(key)
        yield full, value
        yield from nodes(value, full)


def _is_deeper(node: Any, levels: int) -> bool:
    """Whether maps and lists are nested deeper than `levels`: readers recurse into them."""
    level = [node]
    for _ in range(levels):
        level = [
            one
            for outer in level
            for one in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(one, (dict, list))
        ]
        if not level:
            return False
    return True


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 else text[:57] + "..."
