"""One run after the other, in this process."""

import gc
import logging
import os
import sys
from collections.abc import Sequence

from callbacks.wandb_service import start_wandb_service
from conf.resolve import look_up
from conf.run_plan import RunPlan
from display.remaining_time import RemainingTime, images_of
from display.steps import working
from launchers.interrupts import PART
from launchers.run import run_one
from records.late_imports import all_kept
from records.ranks import is_nonzero_rank
from records.run_state import run_state
from records.status import FINISHED

log = logging.getLogger(__name__)


def run_in_turn(runs: Sequence[RunPlan]) -> None:
    """Execute the runs one after the other, with constant memory.

    A run's trainer, network and callbacks form reference cycles, which Python rarely collects: 80
    MB in 200 runs. Objects imported by the first run are frozen, so that a collection between two
    runs takes milliseconds. Raises `Stopped` if a run failed, and `on_error=stop`.
    """
    if "torch" not in sys.modules and PART not in os.environ:
        log.info("Importing torch ...")
    with working("importing"), all_kept():  # takes seconds, once
        if not is_nonzero_rank() and any(look_up(run.plain, "logger.wandb") for run in runs):
            start_wandb_service()
        import callbacks.build  # noqa: F401

    estimate = RemainingTime()
    images = [images_of(run.settings) for run in runs]
    try:
        for number, run in enumerate(runs):
            run_one(run, is_first=number == 0)
            if number + 1 < len(runs):
                gc.collect()
                if number == 0:
                    gc.freeze()
            state = run_state(run.folder)
            if state.status in FINISHED:
                estimate.add(images[number], state.seconds)
            if text := estimate.sentence(images[number + 1 :]):
                log.info(text)
    finally:
        gc.unfreeze()
