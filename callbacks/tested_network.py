"""The weights that the final numbers of a run are of, from its checkpoint."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from callbacks.best_network import BestNetwork


def weights_in(
    checkpoint: Mapping[str, Any], tested: Mapping[str, Any] | None
) -> dict[str, Tensor]:
    """The state dict of the last network or of the best one.

    Args:
        checkpoint: last.ckpt, which has both.
        tested: the entry of the record; None: the last network.

    Raises:
        ValueError: the best network is asked for, and none was kept.
    """
    if not tested or tested["network"] == "last":
        last: dict[str, Tensor] = checkpoint["state_dict"]
        return last
    best = checkpoint["callbacks"].get(BestNetwork.__qualname__) or {}
    if not best.get("weights"):
        raise ValueError("no best network was kept; it needs data.validation or stop=early.")
    weights: dict[str, Tensor] = best["weights"]
    return weights


def moment_of(tested: Mapping[str, Any] | None) -> tuple[int, int] | None:
    """Epoch and step of a network that is not the last; None for the last."""
    if not tested or tested["network"] == "last":
        return None
    return int(tested["epoch"]), int(tested["step"])
