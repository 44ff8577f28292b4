"""Batch normalisation over the batch of all processes, for results independent of their number.

torch's `SyncBatchNorm` does not support the CPU. `trainer.sync_batchnorm` uses it on GPUs.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.autograd.function import once_differentiable
from torch.nn.modules.batchnorm import _BatchNorm  # the base of all, without a public name

ONE_VALUE = (
    "batch normalisation of {}: one value per channel in {} has no variance; use a batch_size that "
    "leaves no single image, or larger images"
)


class GlobalBatchNorm2d(nn.BatchNorm2d):
    """`nn.BatchNorm2d`; inside `over_all_processes` its training statistics are global.

    With x_i the N values of a channel over the images and positions of all processes,

        mean = sum_i x_i / N,  var = sum_i (x_i - mean)^2 / N
        y = w (x - mean) / sqrt(var + eps) + b

    with one exchange of two numbers per channel, and one more in the backward pass. Weights and
    running statistics have the names of torch's layer. Elsewhere (one process, eval mode, probes,
    which use different images in every process) it equals torch's layer bit for bit.
    """

    images: int | None = None  # of this process in the global batch; None: local statistics

    def forward(self, input: Tensor) -> Tensor:
        """Normalise (B, C, H, W)."""
        if self.images is None or not self.training:
            if self.training and input.numel() == self.num_features:
                raise ValueError(ONE_VALUE.format(tuple(input.shape), "the batch"))
            return super().forward(input)
        # under mixed precision squares of float16 would overflow
        x = input.to(torch.promote_types(input.dtype, torch.float32))
        count, mean, var = _moments(x[: self.images].detach())
        if count <= 1:
            where = "all processes together"
            raise ValueError(ONE_VALUE.format(tuple(input.shape), where))
        self._update_running(mean, var * count / (count - 1))
        invstd = (var + self.eps).rsqrt()
        weight = torch.ones_like(mean) if self.weight is None else self.weight
        bias = torch.zeros_like(mean) if self.bias is None else self.bias
        y: Tensor = _Normalise.apply(  # type: ignore[no-untyped-call]
            x, weight, bias, mean, invstd, count, self.images
        )
        return y.to(input.dtype)

    @torch.no_grad()
    def _update_running(self, mean: Tensor, var: Tensor) -> None:
        if self.running_mean is None or self.running_var is None:
            return
        assert self.num_batches_tracked is not None
        self.num_batches_tracked += 1
        share = 1 / int(self.num_batches_tracked) if self.momentum is None else self.momentum
        self.running_mean.lerp_(mean, share)
        self.running_var.lerp_(var, share)


def _moments(x: Tensor) -> tuple[float, Tensor, Tensor]:
    """Number of values per channel, their mean and variance, over all processes."""
    count, channels = x.numel() / x.shape[1], x.shape[1]
    if len(x):
        mean, var = torch.batch_norm_update_stats(x, None, None, 0.0)  # one pass over the images
    else:
        mean, var = x.new_zeros(2, channels)
    mine = torch.cat([mean, var, mean.new_tensor([count])])
    parts = [torch.empty_like(mine) for _ in range(distributed.get_world_size())]
    distributed.all_gather(parts, mine)
    means, variances, counts = torch.stack(parts).split([channels, channels, 1], dim=1)
    share = counts / counts.sum()
    mean = (share * means).sum(0)
    var = (share * (variances + (means - mean).square())).sum(0)
    return float(counts.sum()), mean, var


class _Normalise(torch.autograd.Function):
    """y = w (x - mean) * invstd + b with a mean and variance over all processes.

    With g = dL/dy and z = (x - mean) * invstd, sums over all processes and the N counted values,

        dL/dx = w invstd (g - sum(g) / N - z sum(g z) / N),  dL/dw = sum(g z),  dL/db = sum(g)

    where the sums of weights are of this process alone: DDP adds those of the others. Two passes
    over x in each direction; the same formulas in autograd take about ten.
    """

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        weight: Tensor,
        bias: Tensor,
        mean: Tensor,
        invstd: Tensor,
        count: float,
        images: int,
    ) -> Tensor:
        ctx.save_for_backward(x, weight, mean, invstd)
        ctx.count, ctx.images = count, images
        scale = weight * invstd
        return torch.addcmul(_along(bias - mean * scale), x, _along(scale))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        x, weight, mean, invstd = ctx.saved_tensors
        (grad,) = grads
        _, grad_weight, grad_bias = torch.ops.aten.native_batch_norm_backward(
            grad, x, weight, None, None, mean, invstd, True, 0.0, [False, True, True]
        )
        sums = torch.cat([grad_weight, grad_bias])
        distributed.all_reduce(sums)
        of_product, of_grad = (sums / ctx.count).chunk(2)
        scale = weight * invstd
        slope = -scale * invstd * of_product
        grad_x = grad * _along(scale)
        # the placeholder of an idle process is not in the statistics
        counted = grad_x[: ctx.images].addcmul_(x[: ctx.images], _along(slope))
        counted -= _along(scale * of_grad + slope * mean)
        return grad_x, grad_weight, grad_bias, None, None, None, None


def _along(channels: Tensor) -> Tensor:
    """(C,) in a shape that broadcasts with (B, C, H, W)."""
    return channels[:, None, None]


@contextmanager
def over_all_processes(network: nn.Module, images: int) -> Iterator[None]:
    """Inside the block each batch normalisation in training uses the images of all processes.

    All processes must enter it, with one forward pass each. On one process nothing changes.
    `images` is how many images of this process's batch count, from the first; 0 if it is idle: its
    batch is then a placeholder, which torch's `SyncBatchNorm` would count.
    """
    layers: list[nn.Module] = []
    if distributed.is_available() and distributed.is_initialized():
        layers = list(network.modules())
    norms = [norm for norm in layers if isinstance(norm, GlobalBatchNorm2d)]
    uncounted = [norm for norm in layers if isinstance(norm, nn.SyncBatchNorm) and images == 0]
    try:
        for norm in norms:
            norm.images = images
        for sync in uncounted:
            sync.forward = _of_no_image(sync.forward)  # type: ignore[method-assign, assignment]
        yield
    finally:
        for norm in norms:
            norm.images = None
        for sync in uncounted:
            del sync.forward


def _of_no_image(forward: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """A pass that takes part in the exchange between processes, and returns zeros for `x`."""

    def without(x: Tensor) -> Tensor:
        # the statistics of the other processes are in float32 under mixed precision
        none = x[:0].to(torch.promote_types(x.dtype, torch.float32))
        return torch.cat([forward(none).to(x.dtype), torch.zeros_like(x)])

    return without


def local_norms(network: nn.Module) -> list[str]:
    """Names of the batch normalisations whose statistics are per process, such as torch's.

    >>> local_norms(nn.Sequential(nn.BatchNorm1d(2), GlobalBatchNorm2d(2)))
    ['0']
    """
    own = (GlobalBatchNorm2d, nn.SyncBatchNorm)
    norms = ((name, m) for name, m in network.named_modules() if isinstance(m, _BatchNorm))
    return [name for name, norm in norms if not isinstance(norm, own)]
