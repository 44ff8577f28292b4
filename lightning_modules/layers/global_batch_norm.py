"""Batch normalisation over the batch of all processes, for results independent of their number.

torch's `SyncBatchNorm` does not support the CPU, and counts the placeholder image of an idle
process.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, distributed, nn
from torch.distributed.nn.functional import all_reduce  # differentiable
from torch.nn.modules.batchnorm import _BatchNorm  # the base of all, without a public name


class GlobalBatchNorm2d(nn.BatchNorm2d):
    """`nn.BatchNorm2d`; inside `over_all_processes` its training statistics are global.

    With x_i the N values of a channel over the images and positions of all processes,

        mean = sum_i x_i / N,  var = sum_i (x_i - mean)^2 / N
        y = w (x - mean) / sqrt(var + eps) + b

    in two all-reduces of one number per channel, and two more in the backward pass. Weights and
    running statistics have the names of torch's layer. Elsewhere (one process, eval mode, probes,
    which use different images in every process) it equals torch's layer bit for bit.
    """

    images: int | None = None  # of this process in the global batch; None: local statistics

    def forward(self, input: Tensor) -> Tensor:
        """Normalise (B, C, H, W)."""
        if self.images is None or not self.training:
            return super().forward(input)
        # under mixed precision squares of float16 would overflow
        x = input.to(torch.promote_types(input.dtype, torch.float32))
        mine = x[: self.images]
        size = x.new_tensor([mine.numel() / self.num_features])
        sums = all_reduce(torch.cat([mine.sum((0, 2, 3)), size]))
        count = sums[-1].detach()
        if count <= 1:
            raise ValueError(
                f"{tuple(input.shape)}: one value per channel in all processes together has no "
                "variance; use a batch_size that leaves no single image, or larger images"
            )
        mean = sums[:-1] / count
        squares = (mine - mean[:, None, None]).square().sum((0, 2, 3))
        var = all_reduce(squares) / count
        self._update_running(mean.detach(), var.detach() * count / (count - 1))
        scale = (var + self.eps).rsqrt()
        if self.weight is not None:
            scale = scale * self.weight
        y = (x - mean[:, None, None]) * scale[:, None, None]
        if self.bias is not None:
            y = y + self.bias[:, None, None]
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


@contextmanager
def over_all_processes(network: nn.Module, images: int) -> Iterator[None]:
    """Inside the block each `GlobalBatchNorm2d` in training uses the images of all processes.

    All processes must enter it, with one forward pass each. On one process nothing changes.
    `images` is how many images of this process's batch count, from the first; 0 if it is idle.
    """
    norms = []
    if distributed.is_available() and distributed.is_initialized():
        norms = [norm for norm in network.modules() if isinstance(norm, GlobalBatchNorm2d)]
    try:
        for norm in norms:
            norm.images = images
        yield
    finally:
        for norm in norms:
            norm.images = None


def local_norms(network: nn.Module) -> list[str]:
    """Names of the batch normalisations whose statistics are per process, such as torch's.

    >>> local_norms(nn.Sequential(nn.BatchNorm1d(2), GlobalBatchNorm2d(2)))
    ['0']
    """
    own = (GlobalBatchNorm2d, nn.SyncBatchNorm)
    norms = ((name, m) for name, m in network.named_modules() if isinstance(m, _BatchNorm))
    return [name for name, norm in norms if not isinstance(norm, own)]
