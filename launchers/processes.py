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

from launchers.slots import deal, visible_gpus

ROOT = Path(__file__).parent.parent
# What a training process tells its own children; another run must not take itself for one.
RANKS = (
    "LOCAL_RANK", "RANK", "WORLD_SIZE", "NODE_RANK", "MASTER_ADDR", "MASTER_PORT", "PL_GLOBAL_SEED",
)  # fmt: skip
PATIENCE = 15.0  # seconds between asking a run to end and ending it


@dataclass
class Processes:
    """Runs commands, so many at a time.

    Args:
        jobs: at once; `auto`: one per set of GPUs, or per two cores.
        on_error: `stop` starts no further command once one has failed; those that go on, end.
    """

    jobs: int | str = "auto"
    on_error: str = "continue"
    left: int = field(default=0, init=False)  # commands that were therefore not started
    _going: dict[int, tuple[subprocess.Popen[bytes], IO[bytes], Sequence[str]]] = field(
        default_factory=dict, init=False
    )
    _failed: bool = field(default=False, init=False)

    def run(self, commands: Sequence[Sequence[str]], devices: Any, accelerator: str) -> list[str]:
        """Start every command once, wait for all; returns a sentence for each that broke down.

        Args:
            commands: the words after `python launch.py`, of one run each.
            devices: GPUs that a run asks for, or `auto`.
            accelerator: `cpu` deals out no GPUs.
        """
        gpus = [] if accelerator == "cpu" else visible_gpus()
        per_run = devices if isinstance(devices, int) else None
        jobs = self.jobs if isinstance(self.jobs, int) else None
        slots = deal(jobs, gpus, per_run, len(os.sched_getaffinity(0)))
        waiting, broken = list(commands), []
        try:
            while waiting or self._going:
                for number, slot in enumerate(slots):
                    if number not in self._going and waiting:
                        self._start(number, waiting.pop(0), slot)
                broken += self._collect()
                if self._failed and self.on_error == "stop":
                    self.left += len(waiting)
                    waiting.clear()
                time.sleep(0.05)
        finally:
            self._end()
        return broken

    def _start(self, number: int, words: Sequence[str], slot: dict[str, str]) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in RANKS}
        errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed when the run has ended
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "launch.py"), *words],
            env={**kept, **slot, "PLUMBLINE_PART": "1"},
            stdin=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,  # Ctrl-C comes to us, and we ask the runs to end
        )
        self._going[number] = process, errors, words

    def _collect(self) -> list[str]:
        broken = []
        for number, (process, errors, words) in list(self._going.items()):
            if process.poll() is None:
                continue
            del self._going[number]
            self._failed |= process.returncode != 0
            errors.seek(0)
            text = errors.read().decode(errors="replace")
            # 0, 1 and 2 have left a record, but for a bug outside any run
            if process.returncode not in (0, 1, 2) or text.startswith("Traceback"):
                last = text.strip().splitlines()[-1:]
                told = ": ".join([f"ended with code {process.returncode}", *last])
                broken.append(f"`python launch.py {' '.join(words)}` {told}")
            errors.close()
        return broken

    def _end(self) -> None:
        """Ask what still runs to end; end what does not, with everything it started."""
        for process, _, _ in self._going.values():
            process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        for process, errors, _ in self._going.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            with contextlib.suppress(ProcessLookupError):  # its ranks may outlive it
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            errors.close()
        self._going.clear()
