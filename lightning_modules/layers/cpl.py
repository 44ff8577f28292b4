"""Convex potential layer."""

from torch import Tensor

from lightning_modules.layers.norm_bound import convolution_norm_bound, norm_bound
from lightning_modules.layers.residual import ResidualLayer


def cpl_step(weight: Tensor, size: tuple[int, ...] = ()) -> Tensor:
    """The largest 1-Lipschitz step: 2 / ||W||^2, with an upper bound of ||W||.

    W is a matrix, or a convolution (hidden, in, k, k) of images of this height and width.

    >>> import torch
    >>> cpl_step(2 * torch.eye(3)), cpl_step(torch.full((1, 1, 1, 1), 2.0), size=(4, 4))
    (tensor(0.49...), tensor(0.5000))
    """
    norm = convolution_norm_bound(weight, size) if size else norm_bound(weight)
    return 2 / (norm.square() + 1e-12)


class CPLLayer(ResidualLayer):
    """One step down a convex potential of the input, for vectors or images.

        y = x - 2 / ||W||_2^2  W^T ReLU(W x + b)        (Meunier et al. 2022)

    Reading it: its Jacobian is symmetric with eigenvalues in [-1, 1], so it is 1-Lipschitz unless
    ||W|| is underestimated: a norm that is 1 % too small makes the layer 1.04-Lipschitz. The norm
    is therefore an upper bound (`norm_bound`), in training and in certification; published code
    uses power iteration, a lower bound, and adds b once more at the end, which is left out here.

    >>> import torch
    >>> layer = CPLLayer(2)
    >>> _ = layer.weight.data.copy_(torch.diag(torch.tensor([1.0, 0.0])))
    >>> layer(torch.tensor([[3.0, -1.0]])).round(decimals=3)   # x_1 - 2 ReLU(x_1), x_2
    tensor([[-3., -1.]], grad_fn=<...>)
    """

    def steps(self, size: tuple[int, ...]) -> Tensor:
        """Return the step, the same for all units."""
        return self.cache(cpl_step, self.weight, size=size)
