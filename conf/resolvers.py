"""Small functions that a YAML file may call: `${passes:1.5e8,${n}}`."""

from collections.abc import Mapping
from typing import Any

from omegaconf import OmegaConf


def divided(whole: int, parts: int) -> int:
    """`${divided:${n},79}`: a 79th of n, rounded up; batches that grow with the data.

    >>> divided(500, 79)
    7
    """
    return -(-whole // parts)


def passes(images: float, n: int) -> int:
    """`${passes:1.5e8,${n}}`: the epochs in which a training set of n is seen as so many images.

    >>> passes(1000, 48), passes(10, 48)
    (20, 1)
    """
    return max(1, int(images) // n)


def choose(name: str, options: Mapping[str, Any], otherwise: Any) -> Any:
    """`${choose:${model.name},{lcn_cpl:1.0},0.1}`: what a name stands for, or else the last.

    >>> choose("lcn_cpl", {"lcn_cpl": 1.0}, 0.1), choose("aol_mlp", {"lcn_cpl": 1.0}, 0.1)
    (1.0, 0.1)
    """
    return options.get(name, otherwise)


def register_resolvers() -> None:
    """Make them known to OmegaConf; twice does no harm."""
    for function in (divided, passes, choose):
        OmegaConf.register_new_resolver(function.__name__, function, replace=True)
