"""Functions that a YAML file may call: `${passes:1.5e8,${n}}`."""

from collections.abc import Mapping
from typing import Any

from omegaconf import OmegaConf


def divided(whole: int | str, parts: int) -> int | str:
    """`${divided:${n},79}`: n / 79, rounded up, for batch sizes that grow with n.

    >>> divided(500, 79), divided("all", 79)  # the second until the images are counted
    (7, 'all')
    """
    return whole if isinstance(whole, str) else -(-whole // parts)


def passes(images: float, n: int | str) -> int | str:
    """`${passes:1.5e8,${n}}`: the number of epochs of n images that makes 1.5e8 images in all.

    >>> passes(1000, 48), passes(10, 48), passes(10, "all")
    (20, 1, 'all')
    """
    return n if isinstance(n, str) else max(1, int(images) // n)


def choose(name: str, options: Mapping[str, Any], otherwise: Any) -> Any:
    """`${choose:${model.name},{lcn_cpl:1.0},0.1}`: the value of a name, or else the last value.

    >>> choose("lcn_cpl", {"lcn_cpl": 1.0}, 0.1), choose("aol_mlp", {"lcn_cpl": 1.0}, 0.1)
    (1.0, 0.1)
    """
    return options.get(name, otherwise)


def either(value: Any, otherwise: Any) -> Any:
    """`${either:${model.published_batch_size},${model.batch_size}}`: the first that is not null.

    >>> either(None, 30), either(40, 30)
    (30, 40)
    """
    return otherwise if value is None else value


def register_resolvers() -> None:
    """Register them with OmegaConf; may be called repeatedly."""
    for function in (divided, passes, choose, either):
        OmegaConf.register_new_resolver(function.__name__, function, replace=True)
