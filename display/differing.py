"""The settings in which the runs of a sweep differ."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from records.key import parse_key
from records.schema import flat

AT_MOST = 4
ABSENT = "null"
DATA = "data.name"  # always shown if it differs: numbers of two data sets are not comparable


def differing(
    settings: Sequence[Mapping[str, Any] | None], names: Sequence[str] | None = None
) -> dict[str, list[str]]:
    """The settings that differ between runs, as columns of text: at most four, top level first.

    A setting that another one determines is left out: of all that `model=lenet,mlp` changes, only
    `model` is shown. The data set is always shown if it differs. A run without a record has no
    settings (None) but those in its name.

    >>> lenet, mlp = {"name": "lenet", "pool": "max"}, {"name": "mlp", "widths": [512]}
    >>> differing([{"model": lenet, "n": 5}, {"model": mlp, "n": 5}, {"model": mlp, "n": 9}, None])
    {'model': ['lenet', 'mlp', 'mlp', ''], 'n': ['5', '5', '9', '']}
    >>> digits, mnist = {"name": "digits"}, {"name": "mnist"}
    >>> differing([{"data": digits, "n": 5}, {"data": digits, "n": 6}, {"data": mnist, "n": 9}])
    {'data': ['digits', 'digits', 'mnist'], 'n': ['5', '6', '9']}
    """
    from_names = [_flat_from_name(name) for name in names or [""] * len(settings)]
    texts = [_flat(own) if own else by for own, by in zip(settings, from_names, strict=True)]
    known = {name: None for own in texts for name in own}
    pairs = list(zip(settings, texts, strict=True))
    values = {name: [by.get(name, ABSENT if own else None) for own, by in pairs] for name in known}
    candidates = sorted((name for name in known if _count(values[name]) > 1), key=_reach)
    shown: dict[str, list[str]] = {}
    for place, name in enumerate(candidates):
        first = any(_determines(other, name, values) for other in candidates[:place])
        later = any(_determines(other, name, values, more=True) for other in candidates[place:])
        if name != DATA and (first or later):
            continue
        shown[name.removesuffix(".name")] = [by.get(name, "") for by in texts]
        if len(shown) == AT_MOST:
            break
    return shown


def _flat_from_name(name: str) -> dict[str, str]:
    groups = {"model": "model.name", "data": "data.name"}
    return {groups.get(label, label): value for label, value in parse_key(name).items()}


def _flat(settings: Mapping[str, Any]) -> dict[str, str]:
    return {name: v if isinstance(v, str) else json.dumps(v) for name, v in flat(settings)}


def _reach(name: str) -> tuple[int, bool]:
    """Sort key: the data set, top-level settings, group names; then by depth, `_target_` last."""
    return (-1 if name == DATA else name.count(".") - name.endswith(".name"), name.endswith("_"))


def _count(values: Iterable[object]) -> int:
    return len({value for value in values if value is not None})


def _determines(
    other: str, name: str, values: Mapping[str, Sequence[str | None]], more: bool = False
) -> bool:
    """Whether `other` determines `name`; with `more`, also that `name` does not determine `other`.

    Only runs with both values count; False if one of the two does not vary among them.
    """
    both = {pair for pair in zip(values[name], values[other], strict=True) if None not in pair}
    mine, others = (len(set(side)) for side in zip(*both, strict=True)) if both else (0, 0)
    return mine > 1 and len(both) == others and not (more and len(both) == mine)
