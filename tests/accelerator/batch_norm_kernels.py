"""The kernels of torch's `SyncBatchNorm`, which has them for GPUs only, by their definition.

Statistics are per channel (dimension 1); `invstd` is 1/sqrt(var + eps) with the biased variance.
"""

from collections import Counter

import torch
from torch import Tensor

aten = torch.ops.aten
CALLS: Counter[str] = Counter()  # of `elements`: forward passes of the layer in training


def _channels(x: Tensor) -> Tensor:
    """(B, C, ...) as (C, values)."""
    return x.transpose(0, 1).reshape(x.shape[1], -1)


def _along(values: Tensor, x: Tensor) -> Tensor:
    """(C,) in a shape that broadcasts with x."""
    return values.reshape(1, -1, *[1] * (x.dim() - 2))


def stats(x: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    rows = _channels(x)
    return rows.mean(1), (rows.var(1, correction=0) + eps).rsqrt()


def gather_stats(
    x: Tensor,
    means: Tensor,
    invstds: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    momentum: float,
    eps: float,
    counts: Tensor,
) -> tuple[Tensor, Tensor]:
    """Of all ranks, from those of each: (ranks, C) and (ranks,)."""
    share = (counts / counts.sum())[:, None]
    mean = (share * means).sum(0)
    var = (share * (invstds**-2 - eps + (means - mean) ** 2)).sum(0)
    if running_mean is not None and running_var is not None:
        running_mean.lerp_(mean, momentum)
        running_var.lerp_(var * counts.sum() / (counts.sum() - 1), momentum)
    return mean, (var + eps).rsqrt()


def elements(
    x: Tensor, weight: Tensor | None, bias: Tensor | None, mean: Tensor, invstd: Tensor, eps: float
) -> Tensor:
    CALLS["elements"] += 1
    y = (x - _along(mean, x)) * _along(invstd, x)
    y = y if weight is None else y * _along(weight, x)
    return (y if bias is None else y + _along(bias, x)).to(x.dtype)


def backward_reduce(
    grad: Tensor,
    x: Tensor,
    mean: Tensor,
    invstd: Tensor,
    weight: Tensor | None,
    *_: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """sum_dy, sum_dy (x - mean), and the gradients of weight and bias."""
    rows, centred = _channels(grad), _channels(x - _along(mean, x))
    sum_dy, sum_dy_xmu = rows.sum(1), (rows * centred).sum(1)
    return sum_dy, sum_dy_xmu, sum_dy_xmu * invstd, sum_dy.clone()


def backward_elements(
    grad: Tensor,
    x: Tensor,
    mean: Tensor,
    invstd: Tensor,
    weight: Tensor | None,
    sum_dy: Tensor,
    sum_dy_xmu: Tensor,
    counts: Tensor,
) -> Tensor:
    n = counts.sum()
    centred = (x - _along(mean, x)) * _along(invstd**2 * sum_dy_xmu / n, x)
    scale = invstd if weight is None else invstd * weight
    return ((grad - _along(sum_dy / n, x) - centred) * _along(scale, x)).to(x.dtype)


KERNELS = {
    aten.batch_norm_stats.default: stats,
    aten.batch_norm_gather_stats_with_counts.default: gather_stats,
    aten.batch_norm_elemt.default: elements,
    aten.batch_norm_backward_reduce.default: backward_reduce,
    aten.batch_norm_backward_elemt.default: backward_elements,
}
