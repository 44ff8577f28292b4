"""Absolute Gram matrix of a layer's weights, by which AOL and SLL rescale."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def absolute_gram(weight: Tensor) -> Tensor:
    """|W W^T| (out, out) of a matrix (out, in), or of a convolution (out, in, k, k).

        A_ij = |sum_k W_ik W_jk|,    A_ij = sum_offsets |(K_i * K_j)(offset)|

    with * the correlation of two kernels (Prach & Lampert 2022). The sums of the rows
    bound the eigenvalues of W W^T by Gershgorin's circles, for images of any size, and for zero
    padding too: padding only removes rows and columns of the unbounded convolution.

    Reading it: slightly above the exact value. A sum of n products in floating point is typically
    off by sqrt(n) roundings, so sqrt(n) are added: 7e-6 for n = 3072 in single precision. The worst
    case is n roundings: certificates use float64, where that is 7e-13.

    >>> absolute_gram(torch.tensor([[1.0, 2.0], [-2.0, 0.0]]))
    tensor([[5.0000, 2.0000],
            [2.0000, 4.0000]])
    """
    terms = weight[0].numel()
    if weight.ndim == 2:
        gram = (weight @ weight.mT).abs()
    else:
        gram = F.conv2d(weight, weight, padding=weight.shape[-1] - 1).abs().sum((-2, -1))
    return gram * (1 + math.sqrt(terms) * torch.finfo(weight.dtype).eps)
