"""Compute gradients in any context, also inside inference mode and no_grad."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor


@contextmanager
def grad_enabled(*tensors: Tensor) -> Iterator[tuple[Tensor, ...]]:
    """Leave inference mode, enable gradients, and return tensors that autograd accepts.

    A trainer's `validate` and `test` run under inference mode, where `torch.enable_grad()` alone is
    not enough: tensors made there can never be saved for a backward pass, so they are cloned.
    Other tensors are returned unchanged.

    Example:
        >>> with torch.inference_mode():
        ...     x = torch.ones(2)
        ...     with grad_enabled(x) as (x,):
        ...         x.requires_grad_()
        ...         print(torch.autograd.grad((x**2).sum(), x)[0])
        tensor([1., 1.], requires_grad=True)
        tensor([2., 2.])
    """
    with torch.inference_mode(False), torch.enable_grad():
        yield tuple(t.clone() if t.is_inference() else t for t in tensors)
