"""Atomic checkpoints: written to a temporary file, flushed, renamed; the previous one is kept."""

import time
from pathlib import Path
from typing import Any

import pytorch_lightning as pl
import torch
from pytorch_lightning.plugins.io import TorchCheckpointIO

from callbacks.run_record import record_of
from callbacks.trained import callbacks_of
from callbacks.wandb_replay import replay
from records.atomic import replacing
from records.checkpoints import LAST, PREVIOUS


class AtomicCheckpointIO(TorchCheckpointIO):
    """Lightning's checkpoint file, replaced atomically; the previous one is kept as a fallback."""

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: str | Path, storage_options: Any = None
    ) -> None:
        """Write to a temporary file, flush, keep the old one, rename."""
        path = Path(path)
        with replacing(path) as temporary:
            try:
                torch.save(checkpoint, temporary)
            except RuntimeError as error:  # torch's error on a full disk
                reason = str(error).splitlines()[0]
                raise OSError(
                    f"{path}: the checkpoint cannot be written; is there room? ({reason})"
                ) from error
            if path.exists():
                path.replace(path.with_name(PREVIOUS))

    def load_checkpoint(
        self, path: str | Path, map_location: Any = None, weights_only: bool | None = True
    ) -> dict[str, Any]:
        """Load plain containers and tensors only: a checkpoint cannot run code."""
        try:
            return torch.load(path, map_location=map_location or "cpu", weights_only=True)
        except Exception as error:  # a foreign file can raise anything
            raise ValueError(
                f"{path}: is no checkpoint of plain tensors ({str(error).splitlines()[0]}); "
                "remove it, or start anew with resume=never."
            ) from error


class Checkpointing(pl.callbacks.Checkpoint):
    """Saves at the end of an epoch: of the last one, and when enough time has passed.

    Args:
        folder: for the checkpoint files.
        seconds: saving every epoch costs a small network a fifth of its time (a flush to disk takes
            10 to 30 ms), so epochs shorter than this share a checkpoint.
    """

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder = folder
        self.seconds = seconds
        self._saved = time.monotonic()

    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Save, if it is time. Lightning calls checkpoint callbacks after all others."""
        over = trainer.should_stop or trainer.current_epoch + 1 == trainer.max_epochs
        due = over or time.monotonic() - self._saved >= self.seconds
        if trainer.strategy.broadcast(due):  # clocks differ; all ranks must agree
            trainer.save_checkpoint(self.folder / LAST)
            self._saved = time.monotonic()

    def on_save_checkpoint(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, checkpoint: dict[str, Any]
    ) -> None:
        """Save the measured numbers with the weights."""
        checkpoint["rows"] = record_of(trainer.loggers).state()

    def on_load_checkpoint(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, checkpoint: dict[str, Any]
    ) -> None:
        """Discard measurements after this checkpoint."""
        record_of(trainer.loggers).restore(checkpoint["rows"])
        replay(trainer.loggers)


def restore_callbacks(trainer: pl.Trainer, folder: Path) -> None:
    """Restore the callbacks' state at the last checkpoint.

    The state that callbacks have in forked training processes is lost when these end; the processes
    of the test stage need it again.
    """
    if not (folder / LAST).exists():  # no epoch, no checkpoint
        return
    checkpoint = AtomicCheckpointIO().load_checkpoint(folder / LAST)
    for callback in callbacks_of(trainer):
        state = checkpoint["callbacks"].get(callback.state_key)
        if state:
            callback.load_state_dict(state)
