"""Settings of pretrained weights."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any


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
    for name, node in _other_models(c["data"], "data"):
        for option in ("weights", "freeze"):
            if node.get(option) is not None and node != model:  # `geometry=own` has the same model
                yield (
                    f"`{name}.{option}={node[option]}`: a geometry has random weights, and no "
                    f"{option}."
                )


def _other_models(node: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Networks inside the data, by dotted name."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "model" and isinstance(value, dict):
                yield f"{place}.{key}", value
            yield from _other_models(value, f"{place}.{key}")
