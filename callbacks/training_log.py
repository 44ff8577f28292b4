"""Loss and accuracy of every epoch, and the seed that makes epochs repeatable."""

import math
import time

import pytorch_lightning as pl
import torch
from torch.nn.modules.batchnorm import _BatchNorm  # the base class has no public name

from callbacks.log_measurement import log_scalars
from callbacks.run_record import progress_of, record_of
from callbacks.trained import data_of, trained
from metrics.functional.chance_accuracy import ChanceAccuracy, chance_accuracy
from metrics.functional.chance_auroc import chance_auroc
from records.seeds import seed_for

CLEAR_AUROC = 0.7  # without an interval: clearly above 0.5, if that is beyond chance
CLEAR_GAP = 0.2  # of accuracies in training and eval mode: more than one epoch of learning makes


class TrainingLog(pl.Callback):
    """Logs `train/running_loss`, `train/running_accuracy` once an epoch, and `time/train`.

    It also seeds torch's global generator at every epoch's start from (seed, epoch, rank), so that
    dropout in epoch 7 is the same whether or not the run was interrupted before.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.accuracy = 0.0
        self.seconds = 0.0
        self.diverged = False
        self._at_chance: tuple[float, ChanceAccuracy, bool, int] | None = None
        self._clear = CLEAR_AUROC

    def on_train_epoch_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Seed the random numbers that the network draws in this epoch."""
        torch.manual_seed(seed_for(self.seed, "train", trainer.current_epoch, trainer.global_rank))
        self._start = time.perf_counter()

    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Log the epoch."""
        self.seconds += time.perf_counter() - self._start
        loss, self.accuracy = trained(pl_module).running.means(pl_module.device)
        if not math.isfinite(loss):  # training cannot recover
            self.diverged = trainer.should_stop = True
        scalars = {
            "train/running_loss": loss,
            "train/running_accuracy": self.accuracy,
            "time/train": self.seconds,
        }
        log_scalars(trainer.loggers, scalars, trainer.current_epoch + 1, trainer.global_step)

    def on_fit_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Stop a resumed run whose network had diverged."""
        trainer.should_stop |= self.diverged

    def on_test_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Log loss and accuracy on the test images; remember an accuracy that may be chance."""
        loss, accuracy = trained(pl_module).tested.means(pl_module.device)
        data, record = data_of(trainer), record_of(trainer.loggers)
        chance = chance_accuracy(data.test.y)
        scalars = {"test/loss": loss, "test/accuracy": accuracy}
        scalars["test/chance_accuracy"] = chance.bound
        counts = dict.fromkeys(("test/loss", "test/accuracy"), len(data.test))
        log_scalars(trainer.loggers, scalars, *progress_of(trainer), counts)
        if accuracy <= chance.bound:
            fitted = record.scalars().get("train/running_accuracy") or 0.0
            learned = fitted > chance_accuracy(data.train.y).bound
            self._at_chance = accuracy, chance, learned, len(data.test.y.unique())
            self._clear = max(CLEAR_AUROC, chance_auroc(data.test.y))

    def teardown(self, trainer: pl.Trainer, pl_module: pl.LightningModule, stage: str) -> None:
        """Note an accuracy within chance, after the probes have measured the AUROC, if any does."""
        if stage != "test":
            return
        record = record_of(trainer.loggers)
        scalars = record.scalars()
        if any(isinstance(module, _BatchNorm) for module in pl_module.modules()):
            accuracies = (scalars.get(f"train/{name}accuracy") for name in ("running_", ""))
            if text := unsettled(*accuracies):
                record.note(text)
        if self._at_chance is not None:
            low, auroc = scalars.get("test/auroc_low"), scalars.get("test/auroc")
            ranks = low > 0.5 if low is not None else (auroc or 0.0) >= self._clear
            record.note(within_chance(*self._at_chance, auroc if ranks else None))
            self._at_chance = None

    def state_dict(self) -> dict[str, float]:
        """Training time so far, and whether training has diverged."""
        return {"seconds": self.seconds, "diverged": self.diverged}

    def load_state_dict(self, state_dict: dict[str, float]) -> None:
        """Restore both."""
        self.seconds = state_dict["seconds"]
        self.diverged = bool(state_dict.get("diverged"))


def unsettled(running: float | None, evaluated: float | None) -> str:
    """The note on a network with batch normalisation that fits its images in training mode only.

    >>> unsettled(0.93, 0.5)
    'the training accuracy is 0.93 in training mode and 0.5 in eval mode: the running ...'
    >>> unsettled(0.93, 0.9), unsettled(0.93, None)
    ('', '')
    """
    if running is None or evaluated is None or running - evaluated < CLEAR_GAP:
        return ""
    return (
        f"the training accuracy is {running:.3g} in training mode and {evaluated:.3g} in eval "
        "mode: the running statistics of batch normalisation lag behind the weights; train for "
        "more steps, or with schedule=linear"
    )


def within_chance(
    accuracy: float,
    chance: ChanceAccuracy,
    learned: bool,
    classes: int = 2,
    auroc: float | None = None,
) -> str:
    """The note on a network whose test accuracy does not exceed that of the most frequent class.

    `learned`: the training accuracy exceeds chance. `auroc` is set if it is above chance: the
    scores are then better than the predictions, and for two classes another threshold may help.

    >>> within_chance(0.5, ChanceAccuracy(0.5, 0.6, 100), learned=False)
    'untrained: accuracy within chance (0.5 on 100 test images, where up to 0.6 is chance); ...'
    >>> within_chance(0.5, ChanceAccuracy(0.5, 0.6, 100), learned=False, auroc=0.9)
    'accuracy within chance (0.5 on 100 test images, where up to 0.6 is chance), but AUROC 0.9: ...'
    >>> within_chance(0.1, ChanceAccuracy(0.1, 0.2, 50), False, classes=10, auroc=0.9)[-58:]
    'separate the classes, the predictions do not; train longer'
    """
    numbers = (
        f"accuracy within chance ({accuracy:.3g} on {chance.images} test images, where up to "
        f"{chance.bound:.3g} is chance)"
    )
    if auroc is not None:
        way_out = (
            "the threshold does not; choose another on validation images, or train longer"
            if classes == 2
            else "the predictions do not; train longer"
        )
        return f"{numbers}, but AUROC {auroc:.3g}: the scores separate the classes, {way_out}"
    state = "no generalisation" if learned else "untrained"
    return f"{state}: {numbers}; its penalties and certificates mean little"
