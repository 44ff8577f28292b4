"""Which GPUs and how many threads each of several runs at once may use."""

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


def visible_gpus() -> list[str]:
    """Names of the GPUs that this process may use, without importing torch.

    `CUDA_VISIBLE_DEVICES` says so where it is set; else every GPU that NVIDIA's driver lists.
    """
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        return [name.strip() for name in named.split(",") if name.strip() not in ("", "-1")]
    listed = Path("/proc/driver/nvidia/gpus")
    return [str(i) for i in range(len(list(listed.iterdir())))] if listed.is_dir() else []


@dataclass(frozen=True)
class Slot:
    """What one run was given."""

    places: tuple[str, ...]  # GPUs, or pairs of cores
    environment: dict[str, str]


@dataclass
class Slots:
    """Deals out a machine: to every run its own number of GPUs, or of pairs of cores.

    Args:
        gpus: of this machine.
        cores: of this machine.
        jobs: runs at once, which then may share GPUs, evenly; None: as many as find free ones.

    >>> slots = Slots(["0", "1", "2"], cores=6)
    >>> slots.take(2, "gpu").environment
    {'OMP_NUM_THREADS': '2', 'CUDA_VISIBLE_DEVICES': '0,1'}
    >>> slots.take(1, "auto").environment
    {'OMP_NUM_THREADS': '2', 'CUDA_VISIBLE_DEVICES': '2'}
    >>> print(slots.take(1, "gpu"))
    None
    >>> slots.take(2, "cpu").environment
    {'OMP_NUM_THREADS': '2'}
    """

    gpus: list[str]
    cores: int
    jobs: int | None = None
    _taken: Counter[str] = field(default_factory=Counter, init=False)  # runs on each place
    _going: int = field(default=0, init=False)

    def take(self, devices: Any, accelerator: str) -> Slot | None:
        """Room for a run; None while there is none.

        Args:
            devices: that it asks for; anything but a number takes all GPUs.
            accelerator: `cpu` takes no GPU.
        """
        gpus = [] if accelerator == "cpu" else self.gpus
        places = gpus or [f"cores {i}" for i in range(max(1, self.cores // 2))]
        wanted = devices if isinstance(devices, int) and devices > 0 else len(gpus) or 1
        chosen = sorted(places, key=self._taken.__getitem__)[:wanted]  # the freest, in order
        is_full = self._going >= self.jobs if self.jobs else any(self._taken[p] for p in chosen)
        if is_full:
            return None
        self._taken.update(chosen)
        self._going += 1
        processes = max(self.jobs * wanted if self.jobs else len(places), wanted)
        environment = {"OMP_NUM_THREADS": str(max(1, self.cores // processes))}
        if gpus:
            environment["CUDA_VISIBLE_DEVICES"] = ",".join(chosen)
        return Slot(tuple(chosen), environment)

    def give_back(self, slot: Slot) -> None:
        """A run has ended."""
        self._taken.subtract(slot.places)
        self._going -= 1
