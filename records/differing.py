"""Which settings tell the runs of a sweep apart: few, by the names they are set by."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

AT_MOST = 4
ABSENT = "null"


def differing(settings: Sequence[Mapping[str, Any] | None]) -> dict[str, list[str]]:
    """The settings that differ between runs, as columns of text: at most four, widest reach first.

    What follows from another setting is left out: of all that `model=lenet,mlp` changes, `model`
    alone is shown. The rest is told by the runs' names.

    Args:
        settings: of every run, as in its record; None for one that has none yet.

    >>> lenet, mlp = {"name": "lenet", "pool": "max"}, {"name": "mlp", "widths": [512]}
    >>> differing([{"model": lenet, "n": 5}, {"model": mlp, "n": 5}, {"model": mlp, "n": 9}, None])
    {'model': ['lenet', 'mlp', 'mlp', ''], 'n': ['5', '5', '9', '']}
    """
    flat = [dict(_flat(own)) if own else None for own in settings]
    known = [own for own in flat if own is not None]
    names = dict.fromkeys(name for own in known for name in own)
    values = {name: tuple(own.get(name, ABSENT) for own in known) for name in names}
    candidates = sorted((name for name in names if len(set(values[name])) > 1), key=_reach)
    shown: dict[str, list[str]] = {}
    for place, name in enumerate(candidates):
        first = any(_tells(other, name, values) for other in candidates[:place])
        if first or any(_tells(other, name, values, more=True) for other in candidates[place:]):
            continue
        label = name.removesuffix(".name")
        shown[label] = ["" if own is None else own.get(name, "").strip('"') for own in flat]
        if len(shown) == AT_MOST:
            break
    return shown


def _flat(node: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in node.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, json.dumps(value)


def _reach(name: str) -> tuple[int, bool]:
    """What stands at the top and groups by their names, then the depths; `_target_` last."""
    return (name.count(".") - name.endswith(".name"), name.endswith("_"))


def _tells(other: str, name: str, values: Mapping[str, Sequence[str]], more: bool = False) -> bool:
    """Whether `name` is known once `other` is; `more`: and not the other way round."""
    pairs = len(set(zip(values[name], values[other], strict=True)))
    return pairs == len(set(values[other])) and not (more and pairs == len(set(values[name])))
