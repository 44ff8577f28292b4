"""The one LightningModule for classifiers: loss, step, optimiser."""

from collections.abc import Callable
from typing import Self

import pytorch_lightning as pl
import torch
from pytorch_lightning.utilities.types import LRSchedulerConfigType, OptimizerLRScheduler
from torch import Tensor, nn
from torch.optim import Optimizer

from datamodules.split import Batch
from lightning_modules.layers.global_batch_norm import over_all_processes
from lightning_modules.losses.classification_loss import ClassificationLoss
from lightning_modules.tally import Tally


class Classifier(pl.LightningModule):
    """Trains a network to classify images.

    Args:
        network: pixels in [0, 1] to scores.
        loss: of scores and labels; it also maps scores to a predicted class.
        optimizer: makes the optimiser from parameters.
        schedule: makes Lightning's scheduler entry from (optimiser, epochs, steps per epoch).
    """

    def __init__(
        self,
        network: nn.Module,
        loss: ClassificationLoss,
        optimizer: Callable[..., Optimizer],
        schedule: Callable[..., LRSchedulerConfigType | None],
    ) -> None:
        super().__init__()
        # channels_last makes convolutions 1.1 to 1.4 times faster on CPU
        self.network = network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # missing in torch's stub
        self.loss = loss
        self.make_optimizer = optimizer
        self.make_schedule = schedule
        self.running, self.tested = Tally(), Tally()
        self.notes: tuple[str, ...] = ()  # on pretrained weights, for the record
        self.frozen: list[nn.Module] = []  # layers whose running statistics do not change

    @property
    def members(self) -> list[nn.Module]:
        """The networks that are trained: this one alone."""
        return [self.network]

    def train(self, mode: bool = True) -> Self:
        """Train mode, except for frozen layers, whose running statistics it would change."""
        super().train(mode)
        for layer in self.frozen:
            layer.eval()
        return self

    def transfer_batch_to_device(
        self, batch: Batch, device: torch.device, dataloader_idx: int
    ) -> Batch:
        """Move a batch, unless it is there: Lightning's check takes 15 us."""
        if batch.x.device == device:
            return batch
        return super().transfer_batch_to_device(batch, device, dataloader_idx)

    def forward(self, x: Tensor) -> Tensor:
        """Scores of a batch of images."""
        return self.network(x.contiguous(memory_format=torch.channels_last))

    def training_step(self, batch: Batch, batch_index: int) -> Tensor:
        """One step; nothing is logged here, sums stay on the device."""
        with over_all_processes(self.network, len(batch.y) if batch.weight else 0):
            loss = self._count(batch, self.running)
        return loss if batch.weight == 1.0 else loss * batch.weight

    def test_step(self, batch: Batch, batch_index: int) -> None:
        """Count a test batch, in full precision like probes, so that it has no rounding error."""
        with torch.autocast(self.device.type, enabled=False):
            self._count(batch, self.tested)

    def _count(self, batch: Batch, tally: Tally) -> Tensor:
        scores = self(batch.x)
        loss = self.loss(scores, batch.y)
        hits = (self.loss.predict(scores.detach()) == batch.y).sum()
        if batch.weight:
            tally.add(loss, hits, len(batch.y))
        return loss

    def configure_optimizers(self) -> OptimizerLRScheduler:
        """The optimiser, and a per-step schedule where there is one."""
        optimizer = self.make_optimizer(self.network.parameters())
        epochs = max(1, self.trainer.max_epochs or 0)
        steps = int(self.trainer.estimated_stepping_batches) // epochs
        schedule = self.make_schedule(optimizer, epochs, steps)
        if schedule is None:
            return optimizer
        return {"optimizer": optimizer, "lr_scheduler": schedule}
