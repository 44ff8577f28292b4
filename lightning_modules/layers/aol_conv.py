"""Almost-orthogonal convolution."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lightning_modules.layers.aol_linear import aol_rescaling
from lightning_modules.layers.centre import Init, draw_centre, require_centre
from lightning_modules.layers.weight_cache import WeightCache


class AOLConv2d(nn.Module):
    """`AOLLinear` for images: a convolution whose input channels are rescaled.

        y = K * D x,    D_j = (sum_i sum_offsets |K_i * K_j|(offset))^-1/2

    (Prach & Lampert 2022), i and j input channels, for images of any size. Zero padding keeps the
    size.

    Reading it: as `AOLLinear`; the bound is that of the unbounded convolution, of which the padded
    one is a part. `init` sets the centre of the kernel; the rest is 0.

    Raises:
        ValueError: if the kernel has no centre, because its size is even.

    Example:
        >>> x = torch.rand(1, 2, 4, 4)
        >>> torch.allclose(AOLConv2d(2, 2, 3)(x), x)   # begins as the identity
        True
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int, init: Init = "identity"
    ) -> None:
        super().__init__()
        require_centre(kernel_size)
        self.init = init
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels, kernel_size, kernel_size))
        self.cache = WeightCache()
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialise as an isometry."""
        draw_centre(self.weight, self.init)

    def forward(self, x: Tensor) -> Tensor:
        """(B, in, H, W) to (B, out, H, W)."""
        kernel = self.weight * self.cache(aol_rescaling, self.weight)[:, None, None]
        return F.conv2d(x, kernel, padding="same")

    def extra_repr(self) -> str:
        """Return the shape, for print."""
        out_channels, in_channels, kernel_size, _ = self.weight.shape
        return f"{in_channels}, {out_channels}, kernel_size={kernel_size}"
