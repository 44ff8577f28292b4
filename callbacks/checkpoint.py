"""When and how checkpoints are written and loaded."""

import time
from pathlib import Path
from typing import Any

import pytorch_lightning as pl
from pytorch_lightning.plugins.io import TorchCheckpointIO

from callbacks.best_network import BestNetwork
from callbacks.checkpoint_file import load, save
from callbacks.run_record import record_of
from callbacks.trained import callbacks_of
from callbacks.wandb_replay import replay
from records.checkpoints import LAST, PREVIOUS


class AtomicCheckpointIO(TorchCheckpointIO):
    """Lightning's checkpoint file, replaced atomically; the previous one is kept as a fallback."""

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: str | Path, storage_options: Any = None
    ) -> None:
        """Replace the file; the old one becomes previous.ckpt."""
        save(checkpoint, Path(path), keep=PREVIOUS)

    def load_checkpoint(
        self, path: str | Path, map_location: Any = None, weights_only: bool | None = True
    ) -> dict[str, Any]:
        """Load plain containers and tensors only: a checkpoint cannot run code."""
        return load(path, map_location)


class Checkpointing(pl.callbacks.Checkpoint):
    """Saves after the last epoch, and after an epoch if `seconds` have passed since the last save.

    A checkpoint after every epoch would cost a small network a fifth of its time: a flush to disk
    takes 10 to 30 ms. The best network is written too, if one is kept.
    """

    def __init__(self, folder: Path, seconds: float, best: BestNetwork | None = None) -> None:
        self.folder, self.seconds, self.best = folder, seconds, best
        self._saved = time.monotonic()

    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Save if it is time. Lightning calls checkpoint callbacks after all others."""
        over = trainer.should_stop or trainer.current_epoch + 1 == trainer.max_epochs
        due = over or time.monotonic() - self._saved >= self.seconds
        if trainer.strategy.broadcast(due):  # clocks differ; all ranks must agree
            trainer.save_checkpoint(self.folder / LAST)
            self._saved = time.monotonic()
            if self.best is not None:
                self.best.write()

    def on_save_checkpoint(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, checkpoint: dict[str, Any]
    ) -> None:
        """Add the measured numbers to the weights."""
        checkpoint["rows"] = [tuple(row) for row in record_of(trainer.loggers).rows]
        checkpoint["max_epochs"] = trainer.max_epochs

    def on_load_checkpoint(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, checkpoint: dict[str, Any]
    ) -> None:
        """Discard measurements after this checkpoint."""
        record = record_of(trainer.loggers)
        record.restore(checkpoint["rows"])
        ended = checkpoint.get("max_epochs")
        if ended == record.rows.progress[0] < (trainer.max_epochs or 0):
            record.not_measured = ended
        replay(trainer.loggers)


def restore_callbacks(trainer: pl.Trainer, folder: Path) -> None:
    """Restore the callbacks' state at the last checkpoint, for the test stage.

    Forked training processes take the state of their callbacks with them when they end.
    """
    if not (folder / LAST).exists():  # no epoch, no checkpoint
        return
    states = load(folder / LAST)["callbacks"]
    for callback in callbacks_of(trainer):
        if state := states.get(callback.state_key):
            callback.load_state_dict(state)
