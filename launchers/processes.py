"""`hydra/launcher=processes`: several runs at once, each its own `python launch.py ...`.

A process of its own costs a run some seconds of imports. In return a crash takes nobody along,
any strategy works (`ddp` re-runs the command line, which is then one run's), and each run sees the
GPUs and cores of its slot alone.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from conf.planned import Planned
from conf.resolve import look_up
from launchers.deferred import deferred
from launchers.slots import Slot, Slots, visible_gpus

ROOT = Path(__file__).parent.parent
# What a training process tells its own children; another run must not take itself for one.
RANKS = (
    "LOCAL_RANK", "RANK", "WORLD_SIZE", "NODE_RANK", "MASTER_ADDR", "MASTER_PORT", "PL_GLOBAL_SEED",
)  # fmt: skip
PATIENCE = 15.0  # seconds between asking a run to end and ending it


@dataclass(frozen=True)
class Command:
    """One run: the words after `python launch.py`, and the devices that it asks for."""

    words: Sequence[str]
    devices: Any = 1  # a number, or auto
    accelerator: str = "auto"

    @classmethod
    def of(cls, run: Planned) -> "Command":
        """What starts a planned run."""
        asks = (look_up(run.plain, f"trainer.{name}") for name in ("devices", "accelerator"))
        return cls(run.overrides, *asks)


@dataclass(frozen=True)
class _Going:
    command: Command
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    slot: Slot

    def kill(self) -> None:
        """End it now, with everything it started: its ranks may outlive it, and hold its GPUs."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS, of ended ones
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@dataclass
class Processes:
    """Runs commands, in their order, so many at a time.

    Args:
        jobs: at once; `auto`: as long as there are free GPUs, or two free cores, for each device
            that the next one asks for.
        on_error: `stop` starts no further command once one has failed; those that go on, end.
    """

    jobs: int | str = "auto"
    on_error: str = "continue"
    left: int = field(default=0, init=False)  # commands that were therefore not started
    _going: list[_Going] = field(default_factory=list, init=False)
    _failed: bool = field(default=False, init=False)

    def run(self, commands: Sequence[Command]) -> list[str]:
        """Start every command once, wait for all; returns a sentence for each that broke down.

        Asked to end (Ctrl-C, SIGTERM), it asks the runs; asked again, it ends them at once.
        """
        jobs = self.jobs if isinstance(self.jobs, int) else None
        slots = Slots(visible_gpus(), _cores(), jobs)
        waiting, broken = list(commands), []
        with deferred() as asked:
            try:
                while (waiting or self._going) and not asked:
                    while waiting and (
                        slot := slots.take(waiting[0].devices, waiting[0].accelerator)
                    ):
                        self._start(waiting.pop(0), slot)
                    broken += self._collect(slots)
                    if self._failed and self.on_error == "stop":
                        self.left += len(waiting)
                        waiting.clear()
                    time.sleep(0.05)
            finally:
                self._end(asked)
        return broken

    def _start(self, command: Command, slot: Slot) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in RANKS}
        errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed when the run has ended
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "launch.py"), *command.words],
            env={**kept, **slot.environment, "PLUMBLINE_PART": "1"},
            stdin=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,  # Ctrl-C comes to us, and we ask the runs to end
        )
        self._going.append(_Going(command, process, errors, slot))

    def _collect(self, slots: Slots) -> list[str]:
        broken = []
        for one in [one for one in self._going if one.process.poll() is not None]:
            self._going.remove(one)
            one.kill()
            slots.give_back(one.slot)
            code = one.process.returncode
            self._failed |= code != 0
            one.errors.seek(0)
            text = one.errors.read().decode(errors="replace")
            # 0, 1 and 2 have left a record, but for a bug outside any run
            is_bug = any(line.startswith("Traceback") for line in text.splitlines())
            if code not in (0, 1, 2) or (code and is_bug):
                told = ": ".join([f"ended with code {code}", *text.strip().splitlines()[-1:]])
                broken.append(f"`python launch.py {' '.join(one.command.words)}` {told}")
            one.errors.close()
        return broken

    def _end(self, asked: Sequence[int]) -> None:
        """Ask what still runs to end; end what does not, or all once we are asked twice."""
        for one in self._going:
            one.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        while any(one.process.poll() is None for one in self._going) and len(asked) < 2:
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        for one in self._going:
            one.kill()
            one.errors.close()
        self._going.clear()


def _cores() -> int:
    """Cores that this process may use; macOS only knows how many there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
