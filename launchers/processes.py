"""`hydra/launcher=processes`: several runs at once, each its own `python launch.py ...`.

A separate process costs each run some seconds of imports. In return a crash affects no other run,
any strategy works (`ddp` re-runs the command line, which is then that of one run), and each run
uses only the GPUs and cores of its slot.
"""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from conf.accelerators import visible_gpus
from conf.resolve import look_up
from conf.run_plan import RunPlan
from display.running import RunningDisplay
from launchers.interrupts import PART, deferred
from launchers.slots import Slot, Slots
from launchers.threads import environment_threads
from records.cores import cores, free_cores
from records.provenance import ROOT
from records.status import EXIT_CODES, EXIT_DONE, EXIT_WARNINGS

log = logging.getLogger(__name__)

# Environment variables for the ranks of a training; another run must not inherit them.
RANKS = (
    "LOCAL_RANK", "RANK", "WORLD_SIZE", "NODE_RANK", "MASTER_ADDR", "MASTER_PORT", "PL_GLOBAL_SEED",
    "TORCHELASTIC_RUN_ID",  # by which Lightning knows torchrun
    "SLURM_NTASKS",  # in a job of Slurm: its tasks are not the ranks of a run
)  # fmt: skip
PATIENCE = 15.0  # seconds between SIGTERM and SIGKILL


@dataclass(frozen=True)
class _RunningProcess:
    run: RunPlan
    process: subprocess.Popen[bytes]
    messages: IO[bytes]  # its standard output
    errors: IO[bytes]
    slot: Slot

    def kill(self) -> None:
        """Kill it with all its children: its ranks could stay alive and keep its GPUs."""
        if sys.platform == "win32":  # has no process groups
            self.process.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended; macOS
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@dataclass
class Processes:
    """Executes runs in order, several at a time.

    Args:
        jobs: number of runs at once; `auto`: as many as find free GPUs, or two free cores, for each
            of their devices.
        on_error: `stop` starts no further run once one has failed; running ones finish.
    """

    jobs: int | str = "auto"
    on_error: str = "continue"
    not_started: int = field(default=0, init=False)  # runs that were therefore not started
    _running: list[_RunningProcess] = field(default_factory=list, init=False)
    _failed: bool = field(default=False, init=False)

    def run(self, runs: Sequence[RunPlan]) -> list[str]:
        """Start every run and wait for all; returns a message for each that crashed.

        The first SIGINT or SIGTERM is passed on to the runs; the second kills them.
        """
        slots = self._slots(runs)
        waiting, broken = list(runs), []
        with deferred() as signals, RunningDisplay([run.folder for run in runs]) as display:
            try:
                while (waiting or self._running) and not signals:
                    while waiting and (slot := slots.take(*_devices(waiting[0]))):
                        self._start(waiting.pop(0), slot)
                    broken += self._collect(slots)
                    if self._failed and self.on_error == "stop":
                        self.not_started += len(waiting)
                        waiting.clear()
                    started = [one.run for one in self._running]  # some have no record yet
                    display.refresh([run.folder for run in (*waiting, *started)])
                    time.sleep(0.05)
            finally:
                self._end(signals)
        return broken

    def _slots(self, runs: Sequence[RunPlan]) -> Slots:
        """Divide the machine among the runs, and log how."""
        jobs = self.jobs if isinstance(self.jobs, int) else None
        settings = [look_up(run.plain, "threads") for run in runs]
        numbers = [threads for threads in settings if isinstance(threads, int)]
        threads = max(numbers, default=environment_threads())
        slots = Slots(visible_gpus(), free_cores(), jobs, threads)
        log.info(slots.describe(*_devices(runs[0]), len(runs), cores()))
        return slots

    def _start(self, run: RunPlan, slot: Slot) -> None:
        inherited = {name: value for name, value in os.environ.items() if name not in RANKS}
        messages = tempfile.TemporaryFile()  # noqa: SIM115  # both closed when the run has ended
        errors = tempfile.TemporaryFile()  # noqa: SIM115
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "launch.py"), *run.overrides],
            env={**inherited, **slot.environment, PART: str(os.getpid())},
            stdin=subprocess.DEVNULL,
            stdout=messages,  # printed when the run ends, so that lines of runs do not mix
            stderr=errors,
            start_new_session=True,  # only this process receives Ctrl-C, and it terminates the runs
        )
        self._running.append(_RunningProcess(run, process, messages, errors, slot))

    def _collect(self, slots: Slots) -> list[str]:
        broken = []
        for one in [one for one in self._running if one.process.poll() is not None]:
            self._running.remove(one)
            one.kill()
            slots.release(one.slot)
            code = one.process.returncode
            self._failed |= code not in (EXIT_DONE, EXIT_WARNINGS)
            if output := read_and_close(one.messages):
                log.info(output.rstrip("\n"))
            text = read_and_close(one.errors)
            # known exit codes come with a record, unless there is a bug outside any run
            is_bug = any(line.startswith("Traceback") for line in text.splitlines())
            if code not in EXIT_CODES or (code and is_bug):
                reason = ": ".join([f"ended with code {code}", *text.strip().splitlines()[-1:]])
                broken.append(f"`python launch.py {' '.join(one.run.overrides)}` {reason}")
        return broken

    def _end(self, signals: Sequence[int]) -> None:
        """Terminate running processes; kill those that do not end, or all after a second signal."""
        for one in self._running:
            one.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        while any(one.process.poll() is None for one in self._running) and len(signals) < 2:
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        for one in self._running:
            one.kill()
            one.messages.close()
            one.errors.close()
        self._running.clear()


def _devices(run: RunPlan) -> tuple[Any, str]:
    """Number of devices (or auto) and accelerator."""
    return look_up(run.plain, "trainer.devices"), look_up(run.plain, "trainer.accelerator")


def read_and_close(file: IO[bytes]) -> str:
    """The content of a temporary file."""
    with file:
        file.seek(0)
        return file.read().decode(errors="replace")
