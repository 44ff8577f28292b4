"""What callbacks use of the module and the data that a trainer has."""

from collections.abc import Sequence
from typing import Protocol, cast

import pytorch_lightning as pl
import torch
from torch import nn

from callbacks.subject import Data, Loss


class Means(Protocol):
    """Sums of loss and hits over an epoch."""

    def means(self, device: torch.device) -> tuple[float, float]:
        """Mean loss and accuracy over all processes."""
        ...


class Trained(Protocol):
    """What callbacks use of the module."""

    members: Sequence[nn.Module]  # the networks
    loss: Loss
    running: Means  # over the training batches of the epoch
    tested: Means  # over the test loop


def trained(module: pl.LightningModule) -> Trained:
    """The module as callbacks know it: they import no module of ours."""
    return cast(Trained, module)


def data_of(trainer: pl.Trainer) -> Data:
    """The data that the trainer was given."""
    return trainer.datamodule  # type: ignore[attr-defined]  # Lightning sets it outside __init__


def callbacks_of(trainer: pl.Trainer) -> list[pl.Callback]:
    """The callbacks of the trainer."""
    return trainer.callbacks  # type: ignore[attr-defined]  # Lightning sets it outside __init__
