"""The command line: train, measure, record and resume runs.

    python launch.py                               # LeNet on handwritten digits, the default probes
    python launch.py -m model=resnet18,vgg16 data=brats,cifar10 n=500,1750 standin=true preset=cpu
    python launch.py --plan -m seed=0,1,2          # list its runs and estimate their time
    python launch.py measure=runs/default callbacks=fgsm_penalty   # measure finished runs
    python launch.py --difficulty data=image_folder data.root=~/my_images   # check and rank images
    python launch.py --help

This file has the order of the steps (plan, check, start, report); `conf` and `launchers` implement
them. torch is imported only when a run starts, or for the estimates of --plan, so that mistakes and
finished runs are reported at once.
"""

import gc
import logging
import os
import signal
import sys

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from omegaconf import DictConfig

from conf.overrides import quote_for_hydra
from conf.plan import Plan, plan
from conf.run_plan import RunPlan
from display.console import show_messages
from launchers import measure, slurm
from launchers.command import Command
from launchers.identify import identified
from launchers.interrupts import Interrupted, end_on_signals, end_with_launcher
from launchers.load_run import load_run
from launchers.plan_table import show_plan
from launchers.run import run_one
from records.late_imports import delay_imports
from records.ranks import drop_stray_ranks, is_nonzero_rank

log = logging.getLogger(__name__)

__all__ = ["launch", "load_run", "main"]  # `from launch import ...` elsewhere

PLAN = "--plan"  # list the runs of a command, start none
DIFFICULTY = "--difficulty"  # check a data set and compare it with published ones


def main() -> int:
    """Check the whole command, run it, report on it; returns the exit code."""
    end_on_signals()
    end_with_launcher()
    show_messages()
    delay_imports()
    if stray := drop_stray_ranks():
        log.warning("%s: set without WORLD_SIZE and MASTER_ADDR; ignored.", ", ".join(stray))
    words = sys.argv[1:]
    try:
        if DIFFICULTY in words:
            from launchers.difficulty import difficulty  # imports pandas, torch and matplotlib

            return difficulty(words, command_line)
        return command_line([quote_for_hydra(word) for word in words])
    except Interrupted as interrupted:  # before any run has started
        return interrupted.exit_code


def command_line(words: list[str]) -> int:
    """`launch` with words in any order, which the launchers of Hydra and Lightning see too."""
    only_plan = PLAN in words
    words = [word for word in words if word != PLAN]
    words.sort(key=lambda word: word not in ("-m", "--multirun"))
    sys.argv[1:] = words
    return launch(words, only_plan)


def launch(words: list[str], only_plan: bool = False) -> int:
    """Plan, check, start (except with `--plan`), report; returns the exit code."""
    if any(word.startswith(measure.WORD) for word in words):
        return measure.measure(words, only_plan)
    planned = plan(words)
    if planned is None:  # --help and the like
        return answer_question()
    planned = identified(planned)
    if planned.problems:
        log.error("\n".join(planned.problems))
        return 2
    if is_nonzero_rank():  # rank 1, 2, ... of a run
        run_one(planned.runs[0])
        return 0
    try:
        command = Command.read(planned, words)
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}"
        log.error("%s; set paths.runs=<a folder of your own>.", reason)
        return 2
    if planned.missing_sweep and not command.is_part:
        log.warning(planned.missing_sweep)
    if only_plan:
        show_plan(planned.runs, command.open_runs)
        if planned.notes:
            log.warning("\n".join(planned.notes))
        return 0
    return command.run(job)


@hydra.main(version_base="1.3", config_path="conf", config_name="config")
def job(config: DictConfig) -> None:
    """One run in a worker of one of Hydra's launchers."""
    show_messages()
    delay_imports()
    if slurm.JOB in os.environ:
        signal.signal(signal.SIGTERM, slurm.on_request_to_end)
    planned = identified(Plan([RunPlan.of(config, HydraConfig.get().overrides.task)]))
    if planned.problems:
        raise ValueError("\n".join(planned.problems))
    run_one(planned.runs[0])


def answer_question() -> int:
    """Let Hydra answer `--help` and the like; returns the exit code."""
    try:
        job()
    except (HydraException, ValueError) as error:
        log.error(str(error).splitlines()[0])
        return 2
    return 0


if __name__ == "__main__":
    code = main()
    gc.freeze()  # else Python searches everything for garbage when it ends, which takes a second
    sys.exit(code)
