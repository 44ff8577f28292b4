"""The parts of the LightningModule and of the trainer that callbacks use."""

from collections.abc import Sequence
from typing import Protocol, cast

import pytorch_lightning as pl
import torch
from torch import nn

from callbacks.subject import Data, Loss


class Means(Protocol):
    """Sums of losses and correct predictions over an epoch."""

    def means(self, device: torch.device) -> tuple[float, float]:
        """Mean loss and accuracy over all processes."""
        ...


class Trained(Protocol):
    """Interface: the parts of the module that callbacks use."""

    members: Sequence[nn.Module]  # the networks
    loss: Loss
    running: Means  # over the training batches of the epoch
    tested: Means  # over the test loop


def trained(module: pl.LightningModule) -> Trained:
    """The module with this interface: callbacks import none of `lightning_modules`."""
    return cast(Trained, module)


def data_of(trainer: pl.Trainer) -> Data:
    """The datamodule of the trainer."""
    return trainer.datamodule  # type: ignore[attr-defined]  # Lightning sets it outside __init__


def callbacks_of(trainer: pl.Trainer) -> list[pl.Callback]:
    """The callbacks of the trainer."""
    return trainer.callbacks  # type: ignore[attr-defined]  # Lightning sets it outside __init__
