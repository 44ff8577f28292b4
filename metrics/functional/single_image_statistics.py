"""Batch normalisation by the statistics of each image alone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from torch import Tensor, nn
from torch.nn.functional import instance_norm
from torch.nn.modules.batchnorm import _BatchNorm  # the base of all, without a public name


def _normalise_alone(module: _BatchNorm) -> Callable[[Tensor], Tensor]:
    def forward(x: Tensor) -> Tensor:
        if x.ndim < 3:
            raise ValueError(
                f"{type(module).__name__} on {tuple(x.shape)}: one image has a single value per "
                "feature here and no variance; use mode='eval'"
            )
        return instance_norm(x, weight=module.weight, bias=module.bias, eps=module.eps)

    return forward


@contextmanager
def single_image_statistics(model: nn.Module) -> Iterator[None]:
    """Make batch normalisation act as in training on batches of one image, for whole batches.

    A batch of one normalises by the mean and variance over the positions of its image, which is
    instance normalisation with the same weights. So many images can be computed at once. Running
    statistics are neither used nor updated inside the block.

    Example:
        >>> import torch
        >>> net = nn.BatchNorm2d(1)
        >>> x = torch.tensor([[[[1.0, 3.0]]], [[[10.0, 30.0]]]])
        >>> with single_image_statistics(net):
        ...     print(net(x).detach().flatten().round(decimals=2))
        tensor([-1.,  1., -1.,  1.])
        >>> net.running_mean
        tensor([0.])
    """
    modules = [module for module in model.modules() if isinstance(module, _BatchNorm)]
    own = [module.__dict__.get("forward") for module in modules]
    try:
        for module in modules:
            module.__dict__["forward"] = _normalise_alone(module)
        yield
    finally:
        for module, forward in zip(modules, own, strict=True):
            if forward is None:
                module.__dict__.pop("forward", None)
            else:
                module.__dict__["forward"] = forward
