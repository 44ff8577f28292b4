"""Estimate of the training time after the first steps."""

import logging
import time
from typing import Any

import pytorch_lightning as pl

from records.duration import duration

log = logging.getLogger(__name__)

WARM_UP_STEPS = 3  # the first steps allocate and autotune
MEASURED_SECONDS = 2.0


class Pace(pl.Callback):
    """Reports once how long training will take on this machine; measurements are not included.

    Args:
        preset: of the run; `preset=cpu` is suggested if training takes hours on a CPU.
    """

    def __init__(self, preset: str) -> None:
        self.preset = preset
        self.reported = False
        self.steps = 0

    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, *_: Any
    ) -> None:
        """Count steps until the time can be estimated."""
        if self.reported:
            return
        self.steps += 1
        if self.steps == WARM_UP_STEPS:
            self.start = time.monotonic()
        elif self.steps > WARM_UP_STEPS:
            elapsed = time.monotonic() - self.start
            if elapsed > MEASURED_SECONDS:
                self._report(trainer, elapsed / (self.steps - WARM_UP_STEPS))

    def _report(self, trainer: pl.Trainer, step: float) -> None:
        self.reported = True
        total = int(trainer.num_training_batches) * (trainer.max_epochs or 1)
        left = step * (total - trainer.global_step)
        device = trainer.strategy.root_device.type
        text = f"About {duration(left)} of training left on this {device} ({step:.2g} s a step)"
        text += ", measuring not counted"
        if left > 3600 and device == "cpu" and self.preset != "cpu":
            text += "; preset=cpu scales images and epochs down to minutes"
        if trainer.is_global_zero:
            log.info("%s.", text)
