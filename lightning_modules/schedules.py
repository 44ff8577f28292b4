"""Learning rate schedules. All change the rate per step.

Lightning steps per-epoch schedulers after the hook that saves checkpoints, so a resumed run would
be one step behind; a rate computed from the global step is not.
"""

from typing import Any

from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR, OneCycleLR


def constant(optimizer: Optimizer, epochs: int, steps_per_epoch: int) -> dict[str, Any] | None:
    """A constant rate: no scheduler."""
    return None


def linear(optimizer: Optimizer, epochs: int, steps_per_epoch: int) -> dict[str, Any]:
    """From the full rate to zero, linearly in steps: lr (1 - t/T)."""
    total = max(1, epochs * steps_per_epoch)
    return _per_step(LambdaLR(optimizer, lambda step: max(0.0, 1 - step / total)))


def exponential(
    optimizer: Optimizer, epochs: int, steps_per_epoch: int, gamma: float = 0.95
) -> dict[str, Any]:
    """Lr gamma^epoch, constant within an epoch."""
    return _per_step(LambdaLR(optimizer, lambda step: gamma ** (step // max(1, steps_per_epoch))))


def one_cycle(
    optimizer: Optimizer,
    epochs: int,
    steps_per_epoch: int,
    rise: float = 0.3,
    cycle_momentum: bool = True,
) -> dict[str, Any]:
    """From lr/25 up to lr during the first `rise` of the steps, then down to lr/250,000 (cosine).

    With `cycle_momentum` (torch's default, and so in Prach & Lampert's code) the optimiser's own
    momentum is replaced by one that runs 0.95, 0.85, 0.95.
    """
    if not 0 <= rise < 1:
        raise ValueError(f"rise={rise} is a share of the steps: 0 or more, below 1; 0.3 is usual.")
    total = max(1, epochs * steps_per_epoch)
    if rise * total == 1:  # torch would divide by the length of the rise, 0 steps
        rise += 1e-6
    rates = [group["lr"] for group in optimizer.param_groups]
    return _per_step(
        OneCycleLR(optimizer, rates, total, pct_start=rise, cycle_momentum=cycle_momentum)
    )


def _per_step(scheduler: Any) -> dict[str, Any]:
    return {"scheduler": scheduler, "interval": "step"}
