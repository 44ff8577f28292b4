"""Almost-orthogonal layer: a matrix or convolution whose inputs are rescaled."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lightning_modules.layers.absolute_gram import absolute_gram
from lightning_modules.layers.centre import Init, draw_centre, kernel_shape
from lightning_modules.layers.weight_cache import WeightCache


def aol_rescaling(weight: Tensor) -> Tensor:
    """D of AOL, one factor per input: (sum_i |P^T P|_ij + 1e-6)^-1/2.

    P is (out, in) or (out, in, k, k); P D has no singular value above 1. As published, 1e-6 bounds
    the gradient of inputs whose weights are all 0.

    >>> aol_rescaling(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor([0.3333, 0.2500])
    """
    return (absolute_gram(weight.transpose(0, 1)).sum(0) + 1e-6).rsqrt()


class AOLLayer(nn.Module):
    """A matrix P, or with a `kernel_size` a convolution, rescaled so that it is 1-Lipschitz.

        y = P D x,    D_jj = (sum_i |P^T P|_ij)^-1/2                        (Prach & Lampert 2022)
        y = P * D x,  D_jj = (sum_i sum_offsets |P_i * P_j|(offset))^-1/2   i, j: input channels

    Reading it: 1-Lipschitz for any P; where the columns of P are orthogonal D only makes them unit
    vectors, so training tends to orthogonal P. For a convolution the bound is that of the unbounded
    one, of which the zero-padded one is a part: it holds for images of any size. No bias, as in the
    published networks. The layer starts as an isometry, see `draw_centre`.

    >>> layer = AOLLayer(2, 2)
    >>> _ = layer.weight.data.copy_(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
    >>> layer(torch.tensor([[1.0, -1.0]]))
    tensor([[ 1.0000, -1.0000]], grad_fn=<...>)
    """

    def __init__(
        self, inputs: int, outputs: int, kernel_size: int | None = None, init: Init = "identity"
    ) -> None:
        super().__init__()
        self.init = init
        self.weight = nn.Parameter(torch.empty(outputs, inputs, *kernel_shape(kernel_size)))
        self.cache = WeightCache()
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialise as an isometry."""
        draw_centre(self.weight, self.init)

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) to (..., out), or (B, in, H, W) to (B, out, H, W)."""
        scale = self.cache(aol_rescaling, self.weight)
        if self.weight.ndim == 2:
            return F.linear(x * scale, self.weight)
        return F.conv2d(x, self.weight * scale[:, None, None], padding="same")

    def extra_repr(self) -> str:
        """Return the shape of the weight, for print."""
        return str(tuple(self.weight.shape))
