"""When to stop training before the last epoch."""

from abc import abstractmethod
from typing import Any, ClassVar

import pytorch_lightning as pl

from callbacks.best_network import Mode, best_of
from callbacks.evaluation import evaluate
from callbacks.probe import subject_of
from callbacks.trained import data_of
from callbacks.undisturbed import undisturbed


class StopRule(pl.Callback):
    """Stops when `enough` is true; checkpoints have this, so a resumed run does not continue."""

    state: ClassVar[tuple[str, ...]] = ("stopped",)  # attributes saved in a checkpoint

    def __init__(self) -> None:
        self.stopped = False

    @abstractmethod
    def enough(self, trainer: pl.Trainer, module: pl.LightningModule) -> bool:
        """Whether the epoch that just ended was the last."""

    def on_fit_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """A run resumed after the stop must not start another epoch."""
        trainer.should_stop |= self.stopped

    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Apply the rule."""
        if self.enough(trainer, pl_module):
            self.stopped = trainer.should_stop = True

    def state_dict(self) -> dict[str, Any]:
        """State of the rule."""
        return {name: getattr(self, name) for name in self.state}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore it."""
        for name in self.state:
            setattr(self, name, state_dict[name])


class AllEpochs(StopRule):
    """No rule: all epochs are trained."""

    def enough(self, trainer: pl.Trainer, module: pl.LightningModule) -> bool:
        """Never."""
        return False


class StopAtFit(StopRule):
    """Stop when the training set is fitted: the accuracy is reached for some epochs in a row.

    Args:
        accuracy: on the whole training set, in eval mode.
        patience: epochs in a row.
    """

    state: ClassVar[tuple[str, ...]] = ("stopped", "held")

    def __init__(self, accuracy: float = 1.0, patience: int = 3) -> None:
        super().__init__()
        self.accuracy = accuracy
        self.patience = patience
        self.held = 0

    def enough(self, trainer: pl.Trainer, module: pl.LightningModule) -> bool:
        """Count the epochs in a row that fit."""
        self.held = self.held + 1 if train_accuracy(trainer, module) >= self.accuracy else 0
        return self.held >= self.patience


class StopWhenOverfit(StopRule):
    """Stop when training accuracy exceeds a threshold, but not before some epoch (Brandao et al.).

    Args:
        accuracy: on the whole training set, in eval mode.
        min_epochs: smallest number of epochs.
    """

    def __init__(self, accuracy: float = 0.99, min_epochs: int = 50) -> None:
        super().__init__()
        self.accuracy = accuracy
        self.min_epochs = min_epochs

    def enough(self, trainer: pl.Trainer, module: pl.LightningModule) -> bool:
        """Late enough and accurate enough."""
        if trainer.current_epoch + 1 < self.min_epochs:
            return False
        return train_accuracy(trainer, module) > self.accuracy


class StopEarly(StopRule):
    """Stop when a number has not improved for some epochs.

    Any logged number can be monitored; training does not end in an epoch in which it is not
    measured. `BestNetwork` has the best epoch so far.

    Args:
        monitor: name of the number.
        mode: whether small or large values are good; `auto`: `callbacks.best_network.direction`.
        patience: epochs without improvement.
    """

    def __init__(
        self, monitor: str = "validation/loss", mode: Mode = "auto", patience: int = 10
    ) -> None:
        super().__init__()
        if patience < 1:
            raise ValueError(f"stop.patience={patience}: must be 1 epoch or more.")
        self.monitor, self.mode, self.patience = monitor, mode, patience

    def enough(self, trainer: pl.Trainer, module: pl.LightningModule) -> bool:
        """Compare with the best epoch, if the number was measured in this one."""
        best = best_of(trainer)
        if best is None or best.value is None or best.measured != trainer.current_epoch + 1:
            return False
        return best.measured - best.epoch >= self.patience


def train_accuracy(trainer: pl.Trainer, module: pl.LightningModule) -> float:
    """Accuracy on the whole training set, in eval mode."""
    subject = subject_of(trainer, module, seed=0, epoch=trainer.current_epoch + 1, last=False)
    with undisturbed(*subject.networks):
        return evaluate(subject, data_of(trainer).train)[1]
