"""The runs of one command: skip those that are done, start the rest, report on all."""

import logging
import multiprocessing
import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from conf.accelerators import gpu_problem
from conf.launchers import IN_PROCESS, PROCESSES, SLURM, name_of
from conf.plan import Plan
from conf.resolve import Plain, look_up
from conf.run_plan import RunPlan
from display.console import console
from display.table import show_notes
from launchers.in_process import run_in_turn
from launchers.interrupts import PART, Interrupted
from launchers.other_data import confirm_data, report_other_data
from launchers.other_names import report_other_names
from launchers.processes import Processes
from launchers.report import report
from launchers.run import Stopped
from records.attempt import notes_printed_later, other_versions
from records.counted import counted
from records.provenance import ROOT, versions
from records.reader import Record
from records.run_folder import RunFolder
from records.status import SETTLED, status_of
from records.sweep import sweep_id, write_sweep

log = logging.getLogger(__name__)

OWN_IMAGES = "datamodules.readers.image_folder.ImageFolder"
SWEEP = "PLUMBLINE_SWEEP"  # identifies the runs of a command, also for its parts and for W&B


@dataclass(frozen=True)
class Command:
    """A checked command, and the records of its runs when it started."""

    planned: Plan
    words: Sequence[str]  # after `python launch.py`
    folders: Sequence[RunFolder]
    before: Sequence[Record | None]

    @classmethod
    def read(cls, planned: Plan, words: Sequence[str]) -> "Command":
        """Read the existing records; raises OSError if a run folder cannot be read."""
        folders = [RunFolder(run.folder) for run in planned.runs]
        return cls(planned, words, folders, [folder.read() for folder in folders])

    @property
    def restarts(self) -> bool:
        """Whether finished runs are started again."""
        return bool(self.planned.runs[0].plain["resume"] == "never")

    @property
    def is_part(self) -> bool:
        """Whether this is one run of a sweep, on which another process reports."""
        return PART in os.environ

    @cached_property
    def is_done(self) -> list[bool]:
        """Whether each run is finished, with nothing left to measure."""
        return [status_of(record, held=True) in SETTLED for record in self.before]

    @property
    def open_runs(self) -> list[RunPlan]:
        """The runs to start."""
        pairs = zip(self.planned.runs, self.is_done, strict=True)
        return [run for run, is_done in pairs if self.restarts or not is_done]

    def run(self, job: Callable[[], None]) -> int:
        """Start the runs that are not done and report on all; returns the exit code.

        `job` is Hydra's entry point, for Hydra's own launchers.
        """
        if problem := self._machine_problem():
            log.error(problem)
            return 2
        self._announce()
        if not self.is_part:
            report_other_data(self.planned.runs, self.before)
            pairs = zip(self.planned.runs, self.before, strict=True)
            report_other_names([run for run, record in pairs if record is None])
            if not self.restarts:
                confirm_data(self.planned.runs, self.before)
            if self.planned.notes and len(self.open_runs) > 1:  # one run's table has its notes
                log.warning("\n".join(self.planned.notes))
        after = list(self.before)
        if self.open_runs:
            try:
                with notes_printed_later(self._is_only_run()):
                    start(self.open_runs, self.planned.launcher, job)
            except Stopped:
                if not self.is_part:
                    log.info("on_error=stop: the runs after the failed one were not started.")
            except Interrupted as interrupted:
                return self._stop(interrupted)
            after = [folder.read() for folder in self.folders]
        return report(self.folders, self.before, after, quiet=self.is_part)

    def _machine_problem(self) -> str:
        """What is missing here, a GPU or images of the user's own; a Slurm job runs elsewhere."""
        if name_of(self.planned.launcher) == SLURM:
            return ""
        few = [
            run.too_few
            for run in self.open_runs
            if run.too_few and look_up(run.plain, "data.reader._target_") == OWN_IMAGES
        ]
        accelerators = (look_up(run.plain, "trainer.accelerator") for run in self.open_runs)
        return gpu_problem(accelerators) or (few[0] if few else "")

    def _is_only_run(self) -> bool:
        """Whether the command has one run: its notes are below its table, also if it is a part."""
        return os.environ.get(SWEEP) == sweep_id([self.planned.runs[0].key])

    def _announce(self) -> None:
        if not self.is_part:
            log.info("%s, %d done already.", counted(len(self.folders), "run"), sum(self.is_done))
            torch = versions()["torch"]
            others = other_versions(self.before, "versions.torch", torch)
            if others and not self.restarts:
                log.warning(
                    "Finished runs were made with torch %s, this environment has torch %s; "
                    "resume=never repeats them.",
                    *(", ".join(others), torch),
                )
            os.environ[SWEEP] = sweep_id([run.key for run in self.planned.runs])
        if len(self.folders) > 1:
            line = shlex.join(["python", "launch.py", *self.words])
            write_sweep([folder.path for folder in self.folders], line)

    def _stop(self, interrupted: Interrupted) -> int:
        for child in multiprocessing.active_children():  # the other ranks
            child.kill()
        if not self.is_part:
            if len(self.folders) == 1:  # printed at the end, which this is
                show_notes(self.folders[0].read() or {}, console)
            resumes = "resumes from the last checkpoint, if there is one"
            then = "restarts the runs" if self.restarts else resumes
            log.info("Stopped. The same command %s.", then)
        return interrupted.exit_code


def start(runs: Sequence[RunPlan], launcher: Plain, job: Callable[[], None]) -> None:
    """Start every run: in this process, in several processes, or by one of Hydra's launchers.

    Raises `Stopped` if a run failed, and `on_error=stop`.
    """
    name = name_of(launcher)
    if name == PROCESSES:
        processes = Processes(launcher["jobs"], runs[0].plain["on_error"])
        for message in processes.run(runs):
            log.error(message)
        if processes.not_started:
            raise Stopped
    elif name == IN_PROCESS:
        run_in_turn(runs)
    else:
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]  # a cluster's workers start elsewhere
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        try:
            job()
        except SystemExit:  # the launcher lost a job; the records have the outcome
            log.error("hydra/launcher=%s reports a failure; the table is from the records.", name)
