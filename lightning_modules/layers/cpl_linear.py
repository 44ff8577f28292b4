"""Convex potential layer, fully connected."""

from torch import Tensor

from lightning_modules.layers.norm_bound import norm_bound
from lightning_modules.layers.residual_linear import ResidualLinear


def cpl_step(weight: Tensor) -> Tensor:
    """The largest 1-Lipschitz step: 2 / ||W||^2, with an upper bound of ||W||.

    Example:
        >>> import torch
        >>> cpl_step(2 * torch.eye(3))
        tensor(0.49...)
    """
    return 2 / (norm_bound(weight).square() + 1e-12)


class CPLLinear(ResidualLinear):
    """One step down a convex potential of the input.

        y = x - 2 / ||W||_2^2  W^T ReLU(W x + b)        (Meunier et al. 2022)

    Reading it: its Jacobian is symmetric with eigenvalues in [-1, 1], so it is 1-Lipschitz unless
    ||W|| is underestimated: a norm that is 1 % too small makes the layer 1.04-Lipschitz.
    The norm is therefore the upper bound `norm_bound`, in training and in certification; published
    code uses power iteration, a lower bound.

    Example:
        >>> import torch
        >>> layer = CPLLinear(2)
        >>> _ = layer.weight.data.copy_(torch.diag(torch.tensor([1.0, 0.0])))
        >>> layer(torch.tensor([[3.0, -1.0]])).round(decimals=3)   # x_1 - 2 ReLU(x_1), x_2
        tensor([[-3., -1.]], grad_fn=<...>)
    """

    def __init__(self, features: int) -> None:
        super().__init__(features)
        self.reset_parameters()

    def steps(self) -> Tensor:
        """Return the step, the same for all units."""
        return self.cache(cpl_step, self.weight)
