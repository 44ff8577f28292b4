"""Convex potential layer, fully connected."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lightning_modules.layers.kept import Kept
from lightning_modules.layers.norm_bound import norm_bound


def cpl_step(weight: Tensor) -> Tensor:
    """The longest step that keeps a convex potential layer 1-Lipschitz: 2 / ||W||^2.

    Args:
        weight: W, (hidden, in).

    Returns:
        A scalar, from an upper bound of the norm.

    Example:
        >>> cpl_step(2 * torch.eye(3))
        tensor(0.49...)
    """
    return 2 / (norm_bound(weight).square() + 1e-12)


class CPLLinear(nn.Module):
    """One step down a convex potential of the input.

        y = x - 2 / ||W||_2^2  W^T ReLU(W x + b)        (Meunier et al. 2022, Eq. 6)

    Reading it: its Jacobian is symmetric with eigenvalues in [-1, 1], so it is 1-Lipschitz as long
    as ||W|| is not taken too small: a norm that is 1 % too small makes the layer 1.04-Lipschitz.
    The norm is therefore `norm_bound`'s, from above, when training as when certifying; published
    code has power iteration, from below. Input and output have the same width.

    Args:
        features: width of input, hidden layer and output.

    Example:
        >>> layer = CPLLinear(2)
        >>> _ = layer.weight.data.copy_(torch.diag(torch.tensor([1.0, 0.0])))
        >>> layer(torch.tensor([[3.0, -1.0]])).round(decimals=3)   # x_1 - 2 ReLU(x_1), x_2
        tensor([[-3., -1.]], grad_fn=<...>)
    """

    def __init__(self, features: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(features, features))
        self.bias = nn.Parameter(torch.empty(features))
        self.kept = Kept()
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weight by torch's law of linear layers, the bias zero."""
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        nn.init.zeros_(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        """(B, features) to the same shape."""
        hidden = F.linear(x, self.weight, self.bias).relu()
        return x - self.kept(cpl_step, self.weight) * F.linear(hidden, self.weight.mT)

    def extra_repr(self) -> str:
        """Return the width, for print."""
        return f"{len(self.weight)}"
