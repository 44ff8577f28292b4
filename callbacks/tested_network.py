"""The network that a run tests at its end, from its checkpoint: the last or the best."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from callbacks.best_network import BestNetwork


def weights_in(
    checkpoint: Mapping[str, Any], tested: Mapping[str, Any] | None
) -> dict[str, Tensor]:
    """The state dict of the last network or of the best one.

    Args:
        checkpoint: content of last.ckpt, which has both.
        tested: entry `tested` of the record; None: the last network.

    Raises:
        ValueError: `tested` names the best network, and the checkpoint has none.
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
    """Epoch and step of the best network, if it is tested; None for the last."""
    if not tested or tested["network"] == "last":
        return None
    return int(tested["epoch"]), int(tested["step"])
