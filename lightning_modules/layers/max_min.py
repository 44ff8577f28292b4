"""The activation of 1-Lipschitz networks."""

import torch
from torch import Tensor, nn


class MaxMin(nn.Module):
    """Replace each pair of channels by its maximum and minimum (Anil et al. 2019).

    Reading it: a permutation at every point, so it keeps all lengths, while ReLU loses half of the
    signal at every layer. The number of channels must be even.

    >>> MaxMin()(torch.tensor([[1.0, 2.0, 4.0, 3.0]]))
    tensor([[2., 1., 4., 3.]])
    """

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, ...) to the same shape."""
        if x.shape[1] % 2:
            raise ValueError(f"{x.shape[1]} channels cannot be paired; use an even number")
        pairs = x.unflatten(1, (-1, 2))
        return torch.stack((pairs.amax(2), pairs.amin(2)), 2).flatten(1, 2)
