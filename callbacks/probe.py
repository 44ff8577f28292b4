"""Base class of measurements during training: schedule, isolation from training, timing."""

import logging
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

import pytorch_lightning as pl
from pytorch_lightning.loggers import Logger

from callbacks.log_measurement import keep_measurement, log_measurement
from callbacks.outputs import SharedMoment
from callbacks.progress import describe
from callbacks.run_record import progress_of, record_of
from callbacks.schedules import Schedule, schedule_named
from callbacks.subject import Measurement, Subject
from callbacks.trained import data_of, trained
from callbacks.undisturbed import undisturbed

log = logging.getLogger(__name__)


class Probe(pl.Callback):
    """Measures according to its schedule, without any effect on training.

    A subclass implements `measure`; this class schedules it, restores the network's state, times
    and logs it, and keeps a failed measurement from ending the run.

    Args:
        schedule: when to measure: a schedule, or the name of one (`callbacks.schedules.NAMED`).
    """

    needs_network: ClassVar[bool] = True
    name: str
    layers: Sequence[str] = ()  # hidden layers that it reads of the training images
    shares_scores: ClassVar[bool] = False  # of test images, so it measures before other probes

    # set by `build_probes`, the same for all probes of a run
    seed: int = 0
    on_error: Literal["continue", "stop"] = "continue"

    def __init__(self, schedule: Schedule | str = "end") -> None:
        self.schedule = schedule_named(schedule) if isinstance(schedule, str) else schedule
        self.shared = SharedMoment([self])
        self.noted: set[str] = set()  # remarks already recorded: each is recorded once
        self.unchecked = True  # the network is checked at the first measurement

    @abstractmethod
    def measure(self, subject: Subject) -> Measurement:
        """Measure the subject. Called on every rank; all ranks must return the same scalars."""

    def on_train_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Measure before the first epoch; a resumed run has done so already.

        A run that continues a shorter one measures after the last epoch of the shorter run, which
        measured there as at its end.
        """
        epoch, skipped = trainer.current_epoch, record_of(trainer.loggers).not_measured
        if epoch == trainer.global_step == 0 or epoch == skipped:
            self._if_due(trainer, pl_module, epoch, last=False)

    def on_train_epoch_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Clear shared results: the weights are about to change."""
        self.shared.clear()

    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Measure after every epoch but the last, which `on_test_end` measures."""
        epoch = trainer.current_epoch + 1
        if epoch < (trainer.max_epochs or 0) and not trainer.should_stop:
            self._if_due(trainer, pl_module, epoch, last=False)

    def on_test_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Measure the end in the test stage, so that a run killed after its last epoch does too."""
        epoch, _ = progress_of(trainer)
        self._if_due(trainer, pl_module, epoch, last=True)

    def _if_due(
        self, trainer: pl.Trainer, module: pl.LightningModule, epoch: int, last: bool
    ) -> None:
        diverged = record_of(trainer.loggers).has_diverged
        if self.schedule.due(epoch, last) and not trainer.strategy.broadcast(diverged):
            step = progress_of(trainer)[1] if last else trainer.global_step
            self.measure_at(trainer, module, epoch, step, last)

    def measure_at(
        self, trainer: pl.Trainer, module: pl.LightningModule, epoch: int, step: int, last: bool
    ) -> None:
        """Measure the current network, after this many epochs and steps."""
        subject = replace(
            subject_of(trainer, module, self.seed, epoch, last),
            continued=any(self.schedule.due(before, last=False) for before in range(epoch)),
            layers=self.shared.layers(epoch, last),
            memo=self.shared.at(epoch, last),
        )
        describe(trainer, f"measuring {self.name}")
        self.measure_and_log(subject, trainer.loggers, step)

    def measure_and_log(self, subject: Subject, loggers: list[Logger], step: int) -> None:
        """Measure, write files and log; a failure is recorded and reported."""
        record, epoch = record_of(loggers), subject.epoch

        def fail(text: str) -> None:
            record.fail(self.name, epoch, subject.last, text)

        def keep(measurement: Measurement) -> None:
            keep_measurement(loggers, measurement, epoch)

        measurement = self.take(subject, fail, keep, record.note)
        if measurement is not None:
            log_measurement(loggers, measurement, epoch, step)
            record.succeed(self.name, epoch)

    def take(
        self,
        subject: Subject,
        on_failure: Callable[[str], None] = log.warning,
        keep: Callable[[Measurement], None] = lambda _: None,
        note: Callable[[str], None] = log.warning,
    ) -> Measurement | None:
        """Measure, timed and without side effects; None when the measurement fails.

        Args:
            subject: what to measure.
            on_failure: called with the reason of a failure.
            keep: writes arrays and figures; if it fails, for example on a full disk, the
                measurement fails and not the run.
            note: called once for each part that could not be measured.
        """
        start = time.perf_counter()
        try:
            with undisturbed(*subject.networks):
                measurement = self.measure(subject)
            keep(measurement)
        except Exception as error:
            if self.on_error == "stop":
                raise
            reason = f"{type(error).__name__}: {error}"
            on_failure(f"{self.name} failed at epoch {subject.epoch} and was left out: {reason}")
            return None
        self.unchecked = False
        for text in measurement.notes:
            if text not in self.noted:
                self.noted.add(text)
                note(f"{self.name}: {text}")
        if measurement.scalars:  # a probe without results is not recorded
            measurement.scalars[f"time/{self.name}"] = time.perf_counter() - start
        return measurement


def subject_of(
    trainer: pl.Trainer, module: pl.LightningModule, seed: int, epoch: int, last: bool
) -> Subject:
    """The network and data of a trainer, at this moment."""
    ours = trained(module)
    network, *others = ours.members
    return Subject(
        data=data_of(trainer),
        seed=seed,
        network=network,
        others=tuple(others),
        loss=ours.loss,
        epoch=epoch,
        last=last,
        device=module.device,
        rank=trainer.global_rank,
        world=trainer.world_size,
    )
