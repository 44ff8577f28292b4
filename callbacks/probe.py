"""Base class of measurements during training: schedule, isolation from training, timing."""

import time
from abc import abstractmethod
from collections.abc import Sequence
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


class Probe(pl.Callback):
    """Measures according to its schedule, without any effect on training.

    A subclass implements `measure`; this class schedules it, restores the network's state, times
    and logs it, and keeps a failed measurement from ending the run. `schedule` is an object or a
    name of `callbacks.schedules.NAMED`.
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
        """Measure before the first epoch, unless a resumed run has done so.

        A run that continues a shorter one measures after its last epoch: there the shorter run has
        measured as at the end.
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
        if not self.schedule.due(epoch, last):
            return
        if not trainer.strategy.broadcast(record_of(trainer.loggers).has_diverged):
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
        """Measure, write files and log; a failure is recorded and reported.

        That includes a failure to write arrays and figures, for example on a full disk.
        """
        record, epoch, start = record_of(loggers), subject.epoch, time.perf_counter()
        try:
            measurement = self.take(subject)
            keep_measurement(loggers, measurement, epoch)
        except Exception as error:
            if self.on_error == "stop":
                raise
            reason = f"{type(error).__name__}: {error}"
            text = f"{self.name} failed at epoch {epoch} and was left out: {reason}"
            record.fail(self.name, epoch, subject.last, text)
            return
        for text in measurement.notes:
            if text not in self.noted:
                self.noted.add(text)
                record.note(f"{self.name}: {text}")
        if measurement.scalars:  # the time of a probe without results is not logged
            measurement.scalars[f"time/{self.name}"] = time.perf_counter() - start
        log_measurement(loggers, measurement, epoch, step)
        record.succeed(self.name, epoch)

    def take(self, subject: Subject) -> Measurement:
        """Measure without any effect on the networks."""
        with undisturbed(*subject.networks):
            measurement = self.measure(subject)
        self.unchecked = False
        return measurement


def subject_of(
    trainer: pl.Trainer, module: pl.LightningModule, seed: int, epoch: int, last: bool
) -> Subject:
    """The network and data of a trainer, at this moment."""
    ours = trained(module)
    return Subject(
        data=data_of(trainer),
        seed=seed,
        networks=tuple(ours.members),
        loss=ours.loss,
        epoch=epoch,
        last=last,
        device=module.device,
        rank=trainer.global_rank,
        world=trainer.world_size,
    )
