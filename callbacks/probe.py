"""The base of every measurement during training: a schedule, a clean room, a clock."""

import logging
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, Literal

import pytorch_lightning as pl

from callbacks.progress import describe
from callbacks.run_record import log_measurement, progress_of, record_of
from callbacks.schedules import AtEnd, Schedule
from callbacks.subject import Measurement, Subject
from callbacks.undisturbed import undisturbed

log = logging.getLogger(__name__)


class Probe(pl.Callback):
    """Measures when its schedule says so; training goes on as if it had not.

    A probe says what to `measure`; this class says when, restores the network's state, takes the
    time, logs, and keeps a failing measurement from ending the run.

    Args:
        schedule: when to measure; at the end by default.
    """

    needs_network: ClassVar[bool] = True
    name: str

    # set by launch.py from `seed` and `probes.on_error`, the same for all probes of a run
    seed: int = 0
    on_error: Literal["continue", "stop"] = "continue"

    def __init__(self, schedule: Schedule | None = None) -> None:
        self.schedule = schedule or AtEnd()

    @abstractmethod
    def measure(self, subject: Subject) -> Measurement:
        """Look at the subject. Called on every rank; all ranks must return the same scalars."""

    def on_train_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Before the first epoch; a resumed run has passed this point."""
        if trainer.current_epoch == 0 and trainer.global_step == 0:
            self._if_due(trainer, pl_module, 0, last=False)

    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """After every epoch but the last, which `on_test_end` measures."""
        epoch = trainer.current_epoch + 1
        if epoch < (trainer.max_epochs or 0) and not trainer.should_stop:
            self._if_due(trainer, pl_module, epoch, last=False)

    def on_test_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """At the end: in the test stage, so that a run killed after its last epoch measures too."""
        epoch, _ = progress_of(trainer)
        self._if_due(trainer, pl_module, epoch, last=True)

    def _if_due(
        self, trainer: pl.Trainer, module: pl.LightningModule, epoch: int, last: bool
    ) -> None:
        if not self.schedule.due(epoch, last):
            return
        subject = subject_of(trainer, module, self.seed, epoch, last)
        describe(trainer, f"measuring {self.name}")
        measurement = self.take(subject, record_of(trainer.loggers).note)
        if measurement is not None:
            step = progress_of(trainer)[1] if last else trainer.global_step
            log_measurement(trainer.loggers, measurement, epoch, step)

    def take(
        self, subject: Subject, note: Callable[[str], None] = log.warning
    ) -> Measurement | None:
        """Measure, timed and without a trace; None, and a note why, when the measurement fails."""
        start = time.perf_counter()
        try:
            with undisturbed(*subject.networks):
                measurement = self.measure(subject)
        except Exception as error:
            if self.on_error == "stop":
                raise
            reason = f"{type(error).__name__}: {error}"
            note(f"{self.name} failed at epoch {subject.epoch} and was left out: {reason}")
            return None
        if measurement.scalars:  # a probe that had nothing to measure leaves no trace in the record
            measurement.scalars[f"time/{self.name}"] = time.perf_counter() - start
        return measurement


def subject_of(
    trainer: pl.Trainer, module: pl.LightningModule, seed: int, epoch: int, last: bool
) -> Subject:
    """What a trainer is training, at this moment."""
    network, *others = module.members
    return Subject(
        data=trainer.datamodule,
        seed=seed,
        network=network,
        others=tuple(others),
        loss=module.loss,
        epoch=epoch,
        last=last,
        device=module.device,
        rank=trainer.global_rank,
        world=trainer.world_size,
    )
