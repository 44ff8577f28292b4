"""What a probe looks at, and what it gives back."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import nn


@dataclass(frozen=True)
class Subject:
    """A network (where there is one) and the data, at one moment of training."""

    data: Any  # a datamodule: .spec .train .test; rooms hand over data, not classes
    seed: int
    network: nn.Module | None = None
    loss: nn.Module | None = None
    epoch: int = 0  # completed epochs
    last: bool = True  # training is over, or there is none
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    rank: int = 0
    world: int = 1


@dataclass(frozen=True)
class Measurement:
    """Numbers by name, and what is kept beside them."""

    scalars: dict[str, float]  # `stage/quantity[/layer][@parameter]`
    arrays: dict[str, np.ndarray] = field(default_factory=dict)  # kept as arrays/<name>@<epoch>.npz
    figures: dict[str, Figure] = field(default_factory=dict)  # kept as figures/<name>.png
