"""The smaller of the two Gram matrices of centred points, in float64, a block at a time."""

import torch
from torch import Tensor

BLOCK = 1024  # rows or columns converted to float64 at a time


def centred_gram(x: Tensor, mean: Tensor) -> Tensor:
    """Product of x - mean (N, D) with itself over the longer side: N x N if N <= D, else D x D.

    Both have the same nonzero eigenvalues: N times the variances along the principal axes. `x` is
    read in blocks, so that it may be float32 or memory-mapped.

    Example:
        >>> x = torch.tensor([[0.0, 0.0, 4.0], [0.0, 2.0, 0.0]])
        >>> centred_gram(x, x.double().mean(0)).tolist()
        [[5.0, -5.0], [-5.0, 5.0]]
    """
    count, dimension = x.shape
    size = min(count, dimension)
    gram = torch.zeros(size, size, dtype=torch.float64, device=x.device)
    if count > dimension:
        for rows in torch.split(x, BLOCK):
            centred = rows.double() - mean
            gram.addmm_(centred.T, centred)
    else:
        for columns, centre in zip(torch.split(x, BLOCK, 1), torch.split(mean, BLOCK), strict=True):
            centred = columns.double() - centre
            gram.addmm_(centred, centred.T)
    return gram
