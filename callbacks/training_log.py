"""The running means of every epoch, and the generator state that makes epochs repeatable."""

import os
import time

import pytorch_lightning as pl
import torch

from callbacks.run_record import log_scalars, progress_of
from records.seeds import seed_for


class TrainingLog(pl.Callback):
    """Logs `train/running_loss`, `train/running_accuracy` once an epoch, and `time/train`.

    It also seeds torch's global generator at every epoch's start from (seed, epoch, rank), so that
    dropout in epoch 7 is the same whether or not the run was interrupted before.

    Args:
        seed: of the run.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.accuracy = 0.0
        self.seconds = 0.0

    def setup(self, trainer: pl.Trainer, pl_module: pl.LightningModule, stage: str) -> None:
        """Processes that share a machine share its cores."""
        local = trainer.num_devices
        if local > 1 and pl_module.device.type == "cpu":
            share = max(1, (os.cpu_count() or 1) // local)
            torch.set_num_threads(min(share, torch.get_num_threads()))

    def on_train_epoch_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Seed what the network draws in this epoch."""
        torch.manual_seed(seed_for(self.seed, "train", trainer.current_epoch, trainer.global_rank))
        self._start = time.perf_counter()

    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Log the epoch."""
        self.seconds += time.perf_counter() - self._start
        loss, self.accuracy = pl_module.running.means(pl_module.device)
        if loss != loss:  # NaN
            raise FloatingPointError(
                f"the training loss is NaN after epoch {trainer.current_epoch + 1}; "
                "lower optimizer.lr (or model.lr), or set trainer.gradient_clip_val=1"
            )
        scalars = {
            "train/running_loss": loss,
            "train/running_accuracy": self.accuracy,
            "time/train": self.seconds,
        }
        log_scalars(trainer.loggers, scalars, trainer.current_epoch + 1, trainer.global_step)

    def on_test_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Log the test loop's counts."""
        loss, accuracy = pl_module.tested.means(pl_module.device)
        scalars = {"test/loss": loss, "test/accuracy": accuracy}
        log_scalars(trainer.loggers, scalars, *progress_of(trainer))

    def state_dict(self) -> dict[str, float]:
        """Time spent so far."""
        return {"seconds": self.seconds}

    def load_state_dict(self, state_dict: dict[str, float]) -> None:
        """Go on counting."""
        self.seconds = state_dict["seconds"]
