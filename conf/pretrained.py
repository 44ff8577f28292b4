"""Settings of pretrained weights."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from records.schema import nodes


def problems_of_pretrained(c: dict[str, Any]) -> Iterator[str]:
    """Problems of `model.weights`, `model.freeze` and `model.normalize=imagenet`.

    >>> print(*problems_of_pretrained({"model": {"freeze": "head"}, "data": {}}))
    `model.freeze=head`: must be features or null.
    >>> other = {"law": {"geometry": {"model": {"freeze": "all"}}}}
    >>> print(*problems_of_pretrained({"model": {}, "data": other}))
    `data.law.geometry.model.freeze=all`: a geometry has random weights, and no freeze.
    """
    model = c["model"]
    weights = model.get("weights")
    if weights is not None and not Path(weights).expanduser().is_file():
        page = "docs/howto/8-pretrained.md"
        yield f"`model.weights={weights}`: no such file; {page} says where to get it."
    if weights is not None and model.get("network") is None:
        yield f"`model.weights={weights}`: model=none has no network."
    if model.get("freeze") not in (None, "features"):
        yield f"`model.freeze={model['freeze']}`: must be features or null."
    if model.get("normalize") == "imagenet" and c["data"].get("channels") == 1:
        yield "`model.normalize=imagenet`: has three channels; set data.channels=3."
    for name, other in nodes(c["data"], "data"):
        if not name.endswith(".model") or not isinstance(other, dict) or other == model:
            continue  # `geometry=own` has the same model
        for option in ("weights", "freeze"):
            if other.get(option) is not None:
                place = f"`{name}.{option}={other[option]}`"
                yield f"{place}: a geometry has random weights, and no {option}."
