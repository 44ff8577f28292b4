"""The GPUs and threads of each of several runs at once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from records.counted import counted

PAIR = 2  # default threads of a process on the CPU; small networks gain little from more


@dataclass(frozen=True)
class Slot:
    """Resources of one run."""

    places: tuple[str, ...]  # GPUs, or pairs of cores
    environment: dict[str, str]


@dataclass
class Slots:
    """Divides a machine: every run gets its number of GPUs, or of pairs of cores.

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
    cores: int  # free ones
    jobs: int | None = None  # runs at once, which may then share GPUs; None: as many as have a slot
    threads: int | None = None  # of each process, if the user has set it
    _taken: Counter[str] = field(default_factory=Counter, init=False)  # runs on each GPU or pair
    _running: int = field(default=0, init=False)

    def take(self, devices: Any, accelerator: str) -> Slot | None:
        """A slot for a run; None while none is free.

        `devices` is a number; `auto` or a list takes all GPUs. `accelerator=cpu` takes none.
        """
        gpus, places, wanted = self._room(devices, accelerator)
        chosen = sorted(places, key=self._taken.__getitem__)[:wanted]  # those with the fewest runs
        is_full = self._running >= self.jobs if self.jobs else any(self._taken[p] for p in chosen)
        if is_full:
            return None
        self._taken.update(chosen)
        self._running += 1
        environment = {"OMP_NUM_THREADS": str(self._threads(places, wanted))}
        if gpus:
            environment["CUDA_VISIBLE_DEVICES"] = ",".join(chosen)
        return Slot(tuple(chosen), environment)

    def describe(self, devices: Any, accelerator: str, runs: int, cores: int) -> str:
        """How many runs of a sweep are executed at once, and why; `cores` need not be free.

        >>> Slots([], cores=4).describe(1, "cpu", runs=9, cores=8)
        '2 runs at once, 2 threads each: 4 of 8 cores are free (hydra.launcher.jobs=<number>).'
        """
        gpus, places, wanted = self._room(devices, accelerator)
        at_once = min(runs, self.jobs or max(1, len(places) // wanted))
        if self.jobs:
            why = f"hydra.launcher.jobs={self.jobs}"
        elif gpus:
            why = f"{counted(wanted, 'GPU')} each of {len(gpus)} (hydra.launcher.jobs=<number>)"
        else:
            are = "is" if self.cores == 1 else "are"
            why = f"{self.cores} of {cores} cores {are} free (hydra.launcher.jobs=<number>)"
        threads = counted(self._threads(places, wanted), "thread")
        return f"{counted(at_once, 'run')} at once, {threads} each: {why}."

    def _room(self, devices: Any, accelerator: str) -> tuple[list[str], list[str], int]:
        """GPUs that a run may use, places (GPUs or pairs of cores), and how many it takes."""
        gpus = [] if accelerator == "cpu" else self.gpus
        groups = max(1, self.cores // (self.threads or PAIR))
        places = gpus or [f"cores {i}" for i in range(groups)]
        return gpus, places, devices if isinstance(devices, int) and devices > 0 else len(gpus) or 1

    def _threads(self, places: Sequence[str], wanted: int) -> int:
        processes = max(self.jobs * wanted if self.jobs else len(places), wanted)
        return self.threads or max(1, self.cores // processes)

    def release(self, slot: Slot) -> None:
        """A run has ended."""
        self._taken.subtract(slot.places)
        self._running -= 1
