"""Hours for counted operations: on known GPUs by their data sheet, here by measured speed."""

import contextlib
import platform
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from launchers.training_cost import TrainingCost, size_text
from records.cached import cached_json
from records.provenance import versions

# Peak operations per second by precision, from the vendors' data sheets, without sparsity: float32
# and float64 without tensor cores (no TF32); mixed precision on tensor cores, sums in float32.
DEVICES = {
    "V100": {"32-true": 15.7e12, "64-true": 7.8e12, "16-mixed": 125e12},
    "RTX 4090": {"32-true": 82.6e12, "64-true": 1.3e12, "16-mixed": 165e12, "bf16-mixed": 165e12},
    "A100": {"32-true": 19.5e12, "64-true": 9.7e12, "16-mixed": 312e12, "bf16-mixed": 312e12},
    "H100": {"32-true": 66.9e12, "64-true": 33.5e12, "16-mixed": 989e12, "bf16-mixed": 989e12},
}
# Shares of the peak that training of convolutional networks reaches: assumptions, not measured.
SHARES = {"32-true": 0.35, "64-true": 0.35, "16-mixed": 0.2, "bf16-mixed": 0.2}
PEAKS = {
    "32-true": "float32 peak without tensor cores (no TF32)",
    "64-true": "float64 peak without tensor cores",
    "16-mixed": "float16 peak of tensor cores",
    "bf16-mixed": "bfloat16 peak of tensor cores",
}
MEASURED_SECONDS = 0.2


def hours_on(device: str, operations: Mapping[str, float]) -> float | None:
    """Hours on one of `DEVICES`; None if it lacks the precision of some run.

    >>> a100 = 0.2 * 312e12 * 3600
    >>> hours_on("A100", {"bf16-mixed": a100}), hours_on("V100", {"bf16-mixed": a100})
    (1.0, None)
    """
    peaks = DEVICES[device]
    if not operations.keys() <= peaks.keys():
        return None
    return sum(n / (SHARES[p] * peaks[p]) for p, n in operations.items()) / 3600


def describe_cost(cost: TrainingCost, speed: float, disk: bool = True) -> Sequence[str]:
    """Sentences on hours (known devices, this machine) and memory; and on disk if `disk`."""
    operations = sum(cost.operations.values())
    here = f"one core of this machine in float32 {_hours(operations / speed / 3600)}"
    hours = {name: hours_on(name, cost.operations) for name in DEVICES}
    known = [f"{name} {_hours(found)}" for name, found in hours.items() if found is not None]
    kept = f" and {size_text(cost.disk_bytes)} of disk for all records and checkpoints" * disk
    shares = [f"{p}: {100 * SHARES[p]:.0f} % of the {PEAKS[p]}" for p in cost.operations]
    assumed = f" GPUs at precision={'; '.join(shares)}; see docs/devices.md." if shares else ""
    return (
        f"Estimate for training alone, by counted operations ({operations:.2g}): on one device "
        f"{', '.join([*known, here])}.{assumed}",
        f"Training needs up to {size_text(cost.peak_bytes)} of memory per run{kept} (counted, not "
        "measured).",
    )


def speed_here(cache_folder: Path | None = None) -> float:
    """The measured speed of this machine; with a cache it is measured once."""
    identity = {"machine": platform.node(), "processor": processor()}
    identity |= {"torch": versions()["torch"]}
    folder = cache_folder and cache_folder / "speed"
    speed: float = cached_json(folder, identity, lambda: {"speed": measured_speed()})["speed"]
    return speed


def processor() -> str:
    """The model of the processor, where the system names it: containers share host names."""
    with contextlib.suppress(OSError):
        found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        if found:
            return found[1]
    return platform.processor()


def measured_speed() -> float:
    """Float32 operations per second of a core of this machine in a convolution, both passes.

    In CPU time: with other processes running, wall time showed a sixth of the speed. With one
    thread: two that wait for each other showed an eighth.
    """
    import torch

    layer, x = torch.nn.Conv2d(64, 64, 3, padding=1), torch.rand(8, 64, 28, 28)
    once = 3 * 2 * 8 * 64 * 64 * 9 * 28 * 28
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        layer(x).sum().backward()
        rounds, start = 0, time.process_time()
        while time.process_time() - start < MEASURED_SECONDS:
            layer(x.requires_grad_()).sum().backward()
            rounds += 1
        return once * rounds / (time.process_time() - start)
    finally:
        torch.set_num_threads(threads)


def _hours(hours: float) -> str:
    """Hours as text.

    >>> _hours(0.001), _hours(0.5), _hours(2), _hours(2000)
    ('under a minute', '30 min', '2.0 h', '2,000 h')
    """
    if hours < 1 / 60:
        return "under a minute"
    return f"{hours * 60:.2g} min" if hours < 1 else f"{hours:,.{int(hours < 100)}f} h"
