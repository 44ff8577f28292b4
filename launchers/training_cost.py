"""What training a network costs before it starts: operations, memory and disk space.

Counted on torch's `meta` device, where tensors have shapes and no values, once for every network
and image size.
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from display.remaining_time import images_of

if TYPE_CHECKING:
    from torch import Tensor, nn

CLASSES = 10  # of networks whose number of outputs is not known before the images are read
# Peak float32 operations per second outside tensor cores, as the vendor states them.
DEVICES = {"V100": 15.7e12, "RTX 4090": 82.6e12, "A100": 19.5e12, "H100": 66.9e12}
SHARE = 0.35  # of the peak that convolutions of this size reach: an assumption, not measured
WEIGHT_BYTES = 16  # per parameter: weight, gradient and two moments of Adam
BEST_BYTES = 3 * 4  # per parameter: the best network, in both checkpoints and on its own
KEPT_BYTES = 2 * 12  # per parameter: two checkpoints of weight and moments
RUN_BYTES = 3e6  # of records, arrays and figures
MEASURED_SECONDS = 0.2


@dataclass(frozen=True)
class StepCost:
    """Of a training step, forward and backward: what each image adds, and the rest of the step.

    The rest is what layers compute from their weights alone, as 1-Lipschitz ones do.
    """

    parameters: int
    image_operations: float
    step_operations: float
    image_bytes: float  # kept from forward for backward
    step_bytes: float


@dataclass(frozen=True)
class TrainingCost:
    """Of all runs together, training alone: what probes add is not counted."""

    operations: float
    peak_bytes: float  # of the largest run
    disk_bytes: float

    def hours(self, speed: float) -> float:
        """On one device that makes so many operations per second."""
        return self.operations / speed / 3600


def training_cost(settings: Iterable[Mapping[str, Any]]) -> TrainingCost | None:
    """The cost of training runs of these settings; None where one of them cannot be counted.

    Reading it: an estimate. A device's hours assume that it is kept busy; small networks on small
    images do not, and take longer.
    """
    operations = peak = disk = 0.0
    for one in settings:
        images = images_of(one)
        if images:
            found = step_cost_of(one)
            if found is None:
                return None
            members = int(one["model"].get("members") or 1)
            batch = int(one["batch_size"])
            each = found.image_operations + found.step_operations / batch
            operations += each * images * members
            memory = WEIGHT_BYTES * found.parameters + found.step_bytes + found.image_bytes * batch
            peak = max(peak, members * memory)
            kept = KEPT_BYTES + BEST_BYTES * _keeps_best(one)
            disk += kept * found.parameters * members
        disk += RUN_BYTES
    return TrainingCost(operations, peak, disk)


def _keeps_best(settings: Mapping[str, Any]) -> bool:
    """Whether the best network is kept: where there is a number to judge it by."""
    stop, data = settings.get("stop") or {}, settings.get("data") or {}
    return bool(stop.get("monitor")) or data.get("validation") is not None


def step_cost_of(settings: Mapping[str, Any]) -> StepCost | None:
    """Of one training image of a run; None where its network or images are not known."""
    node, data = settings["model"].get("network"), settings["data"]
    channels, size = data.get("channels"), data.get("size")
    if not (node and isinstance(channels, int) and isinstance(size, int)):
        return None
    return step_cost(json.dumps(node, sort_keys=True), channels, size)


@cache
def step_cost(network: str, channels: int, size: int) -> StepCost | None:
    """Count a network, given as JSON of its `_target_` and options; None if it cannot be built.

    >>> mlp = {"_target_": "lightning_modules.networks.mlp.MLP", "widths": [8]}
    >>> cost = step_cost(json.dumps(mlp), channels=1, size=4)
    >>> cost.parameters == 16 * 8 + 8 + 8 * 10 + 10
    True
    """
    import torch
    from hydra.errors import InstantiationException
    from hydra.utils import instantiate

    try:
        with torch.device("meta"):
            built = instantiate(
                json.loads(network), in_channels=channels, size=size, outputs=CLASSES
            )
            two, four = (_counted(built, torch.empty(b, channels, size, size)) for b in (2, 4))
    except (InstantiationException, ValueError, RuntimeError):
        return None
    operations, saved = ((more - less) / 2 for more, less in zip(four, two, strict=True))
    return StepCost(
        parameters=sum(p.numel() for p in built.parameters()),
        image_operations=operations,
        step_operations=two[0] - 2 * operations,
        image_bytes=saved,
        step_bytes=two[1] - 2 * saved,
    )


def _counted(network: "nn.Module", x: "Tensor") -> tuple[float, float]:
    """Operations of a step, and bytes of the tensors that backward needs."""
    from torch.autograd.graph import saved_tensors_hooks
    from torch.utils.flop_counter import FlopCounterMode

    kept: list[Tensor] = []  # so that no storage is made at the place of another

    def keep(tensor: "Tensor") -> "Tensor":
        kept.append(tensor)
        return tensor

    counter = FlopCounterMode(display=False)
    with counter, saved_tensors_hooks(keep, lambda tensor: tensor):
        network(x).sum().backward()
    weights = {p.untyped_storage()._cdata for p in network.parameters()}
    storages = {t.untyped_storage()._cdata: t.untyped_storage().nbytes() for t in kept}
    saved = sum(size for storage, size in storages.items() if storage not in weights)
    return float(counter.get_total_flops()), float(saved)


def measured_speed() -> float:
    """Operations per second of a core of this machine in a convolution, forward and backward.

    In CPU time: beside other processes the clock gave a sixth of the speed.
    """
    import torch

    layer, x = torch.nn.Conv2d(64, 64, 3, padding=1), torch.rand(8, 64, 28, 28)
    once = 3 * 2 * 8 * 64 * 64 * 9 * 28 * 28
    layer(x).sum().backward()
    rounds, start = 0, time.process_time()
    while time.process_time() - start < MEASURED_SECONDS:
        layer(x.requires_grad_()).sum().backward()
        rounds += 1
    return once * rounds / (time.process_time() - start)


def describe_cost(cost: TrainingCost, speed: float, disk: bool = True) -> Sequence[str]:
    """Sentences for people: hours on known devices and here, memory, and disk if wanted."""
    here = f"one core of this machine {_hours(cost.hours(speed))}"
    known = [f"{name} {_hours(cost.hours(SHARE * peak))}" for name, peak in DEVICES.items()]
    kept = f" and {size_text(cost.disk_bytes)} of disk for all records and checkpoints" * disk
    return (
        f"Estimate from counted operations, training alone: {cost.operations:.2g} "
        f"operations, on one device {', '.join([*known, here])}. "
        f"GPUs: at {100 * SHARE:.0f} % of the float32 peak without tensor cores "
        "(no TF32), see docs/devices.md.",
        f"Up to {size_text(cost.peak_bytes)} of memory for a run's training{kept}, by count.",
    )


def _hours(hours: float) -> str:
    """Hours as text.

    >>> _hours(0.001), _hours(0.5), _hours(2), _hours(2000)
    ('under a minute', '30 min', '2.0 h', '2,000 h')
    """
    if hours < 1 / 60:
        return "under a minute"
    return f"{hours * 60:.2g} min" if hours < 1 else f"{hours:,.{int(hours < 100)}f} h"


def size_text(size: float) -> str:
    """Bytes as text.

    >>> size_text(2.4e6), size_text(3.21e9)
    ('2.4 MB', '3.2 GB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.2g} MB"
