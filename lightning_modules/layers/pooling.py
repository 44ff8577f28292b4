"""Pooling to a fixed size, deterministic also on GPUs.

torch's own adaptive pooling adds gradients in arbitrary order there, and raises an error under
`trainer.deterministic`; so does its local response normalisation.
"""

import torch
from torch import Tensor, nn


class GlobalMax(nn.Module):
    """The largest value of every map: (B, C, H, W) to (B, C).

    Equal maxima share the gradient.

    >>> GlobalMax()(torch.tensor([[[[1.0, 4.0], [2.0, 3.0]]]]))
    tensor([[4.]])
    """

    def forward(self, x: Tensor) -> Tensor:
        """Take the maxima."""
        return x.amax((-2, -1))


class MeanPool(nn.Module):
    """Means over a grid of side x side windows: (B, C, H, W) to (B, C side^2).

    Windows are those of `nn.AdaptiveAvgPool2d`: the i-th of `side` begins at floor(i H / side) and
    ends before ceil((i + 1) H / side). They overlap if H is not a multiple of `side`, and repeat
    pixels if the map is smaller than the grid. One fixed matrix averages rows, another columns.

    >>> MeanPool(1)(torch.tensor([[[[1.0, 4.0], [2.0, 5.0]]]]))
    tensor([[3.]])
    >>> MeanPool(2)(torch.arange(3.0).expand(1, 1, 3, 3))
    tensor([[0.5000, 1.5000, 0.5000, 1.5000]])
    """

    def __init__(self, side: int) -> None:
        super().__init__()
        self.side = side

    def forward(self, x: Tensor) -> Tensor:
        """Average."""
        if self.side == 1:
            return x.mean((-2, -1))
        rows, columns = (_windows(size, self.side).to(x) for size in x.shape[-2:])
        return (rows @ x @ columns.T).flatten(1)

    def extra_repr(self) -> str:
        """Settings for print."""
        return str(self.side)


class ResponseNorm(nn.Module):
    """`nn.LocalResponseNorm`: each value divided by a sum over `size` channels around its own.

        x_c / (k + alpha / size * sum_{c'} x_{c'}^2)^beta

    >>> x = torch.linspace(-9, 9, 24).reshape(1, 6, 2, 2)
    >>> torch.allclose(ResponseNorm(5)(x), nn.LocalResponseNorm(5)(x))
    True
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, x: Tensor) -> Tensor:
        """Divide."""
        before = self.size // 2
        padding = (0, 0, 0, 0, before, self.size - 1 - before)
        squares = nn.functional.pad(x.square(), padding)
        total = sum(squares[:, i : i + x.shape[1]] for i in range(self.size))
        return x / (self.k + self.alpha / self.size * total) ** self.beta

    def extra_repr(self) -> str:
        """Settings for print."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


def _windows(size: int, side: int) -> Tensor:
    """(side, size): each row averages the pixels of its window."""
    place, window = torch.arange(size), torch.arange(side)[:, None]
    first, stop = window * size // side, -(-(window + 1) * size // side)
    inside = ((place >= first) & (place < stop)).double()
    return inside / inside.sum(1, keepdim=True)
