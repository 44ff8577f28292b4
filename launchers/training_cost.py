"""Estimate the cost of training before it starts: operations, memory and disk space.

Counted on torch's `meta` device, whose tensors have no values, once for every network and image
size. With cached counts torch is not imported.
"""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from display.remaining_time import images_of
from records.cached import cached_json
from records.provenance import versions

if TYPE_CHECKING:
    from torch import Tensor, nn

CLASSES = 10  # assumed number of outputs; the true one is known once the images are read
NETWORKS = Path(__file__).parents[1] / "lightning_modules"
WEIGHT_BYTES = 16  # per parameter: weight, gradient and two moments of Adam
BEST_BYTES = 3 * 4  # per parameter: the best network, in both checkpoints and in best.ckpt
KEPT_BYTES = 2 * 12  # per parameter: two checkpoints of weight and moments
RUN_BYTES = 3e6  # of records, arrays and figures


@dataclass(frozen=True)
class StepCost:
    """Cost of a training step, forward and backward: per image, and per step.

    The cost per step is that of computations on weights alone, as in 1-Lipschitz layers.
    """

    parameters: int
    image_operations: float
    step_operations: float
    image_bytes: float  # saved in the forward pass for the backward pass
    step_bytes: float


@dataclass(frozen=True)
class TrainingCost:
    """Cost of training all runs; probes are not included."""

    operations: Mapping[str, float]  # by precision
    peak_bytes: float  # of the largest run
    disk_bytes: float


def training_cost(
    settings: Iterable[Mapping[str, Any]], cache_folder: Path | None = None
) -> TrainingCost | None:
    """The cost of training runs with these settings; None if one of them cannot be counted.

    Reading it: an estimate. The hours assume a fully used device; small networks on small images
    do not use one fully and take longer.
    """
    operations: defaultdict[str, float] = defaultdict(float)
    peak = disk = 0.0
    for one in settings:
        images = images_of(one)
        if images:
            found = step_cost_of(one, cache_folder)
            if found is None:
                return None
            members = int(one["model"].get("members") or 1)
            batch = int(one["batch_size"])
            each = found.image_operations + found.step_operations / batch
            operations[one.get("precision", "32-true")] += each * images * members
            memory = WEIGHT_BYTES * found.parameters + found.step_bytes + found.image_bytes * batch
            peak = max(peak, members * memory)
            has_validation = (one.get("data") or {}).get("validation") is not None
            keeps_best = has_validation or bool((one.get("stop") or {}).get("monitor"))
            kept = KEPT_BYTES + BEST_BYTES * keeps_best
            disk += kept * found.parameters * members
        disk += RUN_BYTES
    return TrainingCost(operations, peak, disk)


def step_cost_of(settings: Mapping[str, Any], cache_folder: Path | None = None) -> StepCost | None:
    """Cost of a training step; None if the network or the size of the images is not known."""
    node, data = settings["model"].get("network"), settings["data"]
    channels, size = data.get("channels"), data.get("size")
    if not (node and isinstance(channels, int) and isinstance(size, int)):
        return None
    return _cached_cost(json.dumps(node, sort_keys=True), channels, size, cache_folder)


@cache
def _cached_cost(
    network: str, channels: int, size: int, cache_folder: Path | None
) -> StepCost | None:
    identity = {"network": network, "channels": channels, "size": size}
    identity |= {"torch": versions()["torch"], "code": _code_of_networks()}

    def count() -> dict[str, Any]:
        found = step_cost(network, channels, size)
        return {} if found is None else asdict(found)

    targets = re.findall(r'"_target_": "([^"]*)"', network)
    ours = all(target.startswith(f"{NETWORKS.name}.") for target in targets)  # not a user's files
    folder = cache_folder / "operations" if cache_folder and ours else None
    found = cached_json(folder, identity, count)
    return StepCost(**found) if found else None


@cache
def _code_of_networks() -> str:
    """A checksum of the source files of networks, and of this one, which counts them."""
    code = hashlib.sha256(Path(__file__).read_bytes())
    for file in sorted(NETWORKS.rglob("*.py")):
        code.update(file.read_bytes())
    return code.hexdigest()[:16]


def step_cost(network: str, channels: int, size: int) -> StepCost | None:
    """Count a network, as JSON of its `_target_` and options; None if it cannot be built.

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

    kept: list[Tensor] = []  # so that no freed storage is used for another tensor

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


def size_text(size: float) -> str:
    """Bytes as text.

    >>> size_text(2.4e6), size_text(3.21e9)
    ('2.4 MB', '3.2 GB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.2g} MB"
