"""Measure without leaving a trace: what training would have been without us, it is."""

import contextlib
from collections.abc import Iterator

import torch
from torch import nn


@contextlib.contextmanager
def undisturbed(*networks: nn.Module) -> Iterator[None]:
    """Eval mode inside; on the way out train flags, buffers, gradients and generators are restored.

    Buffers (batch-norm statistics) are copied because a probe may want train mode for a while;
    gradients are only set aside, since probes differentiate with `torch.autograd.grad`.
    """
    modules = [m for network in networks for m in network.modules()]
    flags = [m.training for m in modules]
    parameters = [p for network in networks for p in network.parameters()]
    gradients = [p.grad for p in parameters]
    buffers = [(b, b.clone()) for m in modules for b in m.buffers(recurse=False)]
    devices = list(range(torch.cuda.device_count())) if torch.cuda.is_initialized() else []
    with torch.random.fork_rng(devices):
        try:
            for network in networks:
                network.eval()
            yield
        finally:
            for m, flag in zip(modules, flags, strict=True):
                m.training = flag
            for p, gradient in zip(parameters, gradients, strict=True):
                p.grad = gradient
            with torch.no_grad():
                for buffer, before in buffers:
                    buffer.copy_(before)
