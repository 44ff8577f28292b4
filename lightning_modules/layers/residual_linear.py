"""Base class of the fully connected residual layers."""

import math
from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lightning_modules.layers.weight_cache import WeightCache


class ResidualLinear(nn.Module, ABC):
    """y = x - W^T T ReLU(W x + b), with steps T small enough to keep it 1-Lipschitz.

    Input, hidden layer and output have `features` units. A subclass defines the `steps`.
    """

    def __init__(self, features: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(features, features))
        self.bias = nn.Parameter(torch.empty(features))
        self.cache = WeightCache()

    @abstractmethod
    def steps(self) -> Tensor:
        """Return T: one number, or one for each hidden unit."""

    def reset_parameters(self) -> None:
        """Draw the weight from torch's distribution for linear layers; the bias is 0."""
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        nn.init.zeros_(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        """(B, features) to the same shape."""
        hidden = F.linear(x, self.weight, self.bias).relu()
        return x - F.linear(self.steps() * hidden, self.weight.mT)

    def extra_repr(self) -> str:
        """Return the width, for print."""
        return f"{len(self.weight)}"
