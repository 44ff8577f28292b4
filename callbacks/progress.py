"""A cheap progress bar: at most ten updates a second."""

import time
from typing import Any

import pytorch_lightning as pl
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from callbacks.trained import callbacks_of
from display.console import bar_console

INTERVAL = 0.1


class ProgressBar(pl.Callback):
    """Shows epochs and steps of the run, or the current measurement, after `title`."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.bar: Progress | None = None
        self._next = 0.0

    def setup(self, trainer: pl.Trainer, pl_module: pl.LightningModule, stage: str) -> None:
        """Show the bar, on rank 0 only and if there is a terminal."""
        console = bar_console()
        if trainer.is_global_zero and console.is_terminal and self.bar is None:
            self.bar = Progress(
                TextColumn("{task.fields[title]}"),
                BarColumn(),
                TextColumn("{task.description}"),
                TimeRemainingColumn(),
                console=console,
                transient=True,
                auto_refresh=False,
            )
            self.task = self.bar.add_task("starting", total=None, title=self.title)
            self.bar.start()

    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, outputs: Any, *_: Any
    ) -> None:
        """Move the bar, if it is time."""
        now = time.monotonic()
        if self.bar is None or now < self._next:
            return
        self._next = now + INTERVAL
        total = int(trainer.num_training_batches) * (trainer.max_epochs or 1)
        text = f"epoch {trainer.current_epoch + 1}/{trainer.max_epochs}"
        self.bar.update(self.task, completed=trainer.global_step, total=total, description=text)
        self.bar.refresh()

    def describe(self, text: str) -> None:
        """Show an activity other than training."""
        if self.bar is not None:
            self.bar.update(self.task, description=text)
            self.bar.refresh()

    def teardown(self, trainer: pl.Trainer, pl_module: pl.LightningModule, stage: str) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None

    def on_exception(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, exception: BaseException
    ) -> None:
        """Remove the bar before the error is printed."""
        self.teardown(trainer, pl_module, "exception")


def describe(trainer: pl.Trainer, text: str) -> None:
    """Show `text` on the trainer's bar, if it has one."""
    for callback in callbacks_of(trainer):
        if isinstance(callback, ProgressBar):
            callback.describe(text)
