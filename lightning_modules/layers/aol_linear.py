"""Almost-orthogonal linear layer."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lightning_modules.layers.absolute_gram import absolute_gram
from lightning_modules.layers.centre import Init, draw_centre
from lightning_modules.layers.weight_cache import WeightCache


def aol_rescaling(weight: Tensor) -> Tensor:
    """D of AOL, one factor per input: (sum_i |P^T P|_ij + 1e-6)^-1/2.

    P is (out, in) or (out, in, k, k); P D has no singular value above 1. As published, 1e-6 bounds
    the gradient of inputs whose weights are all 0.

    Example:
        >>> aol_rescaling(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor([0.3333, 0.2500])
    """
    return (absolute_gram(weight.transpose(0, 1)).sum(0) + 1e-6).rsqrt()


class AOLLinear(nn.Module):
    """A linear map whose inputs are rescaled so that it is 1-Lipschitz.

        y = P D x,    D_jj = (sum_i |P^T P|_ij)^-1/2        (Prach & Lampert 2022)

    Reading it: 1-Lipschitz for any P; where the columns of P are orthogonal D only makes them unit
    vectors, so training tends to orthogonal P. No bias, as in the published networks.

    If there are fewer outputs than inputs, `init` is always `orthogonal`.

    Example:
        >>> layer = AOLLinear(2, 2)
        >>> _ = layer.weight.data.copy_(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        >>> layer(torch.tensor([[1.0, -1.0]]))
        tensor([[ 1.0000, -1.0000]], grad_fn=<...>)
    """

    def __init__(self, in_features: int, out_features: int, init: Init = "identity") -> None:
        super().__init__()
        self.init = init
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.cache = WeightCache()
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialise as an isometry."""
        draw_centre(self.weight, self.init)

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) to (..., out)."""
        return F.linear(x * self.cache(aol_rescaling, self.weight), self.weight)

    def extra_repr(self) -> str:
        """Return the shape, for print."""
        return f"{self.weight.shape[1]}, {self.weight.shape[0]}"
