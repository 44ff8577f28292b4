"""Measure a network without any effect on its training."""

import contextlib
from collections.abc import Iterator

import torch
from torch import nn

from metrics.functional.generator_states import generator_states


@contextlib.contextmanager
def float32_convolutions() -> Iterator[None]:
    """Float32 convolutions without TF32 inside.

    On GPUs from the A100 on, torch rounds their inputs to 10 bits by default, which changes scores
    by 1e-3; matrix products are not rounded.
    """
    before = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32 = before


@contextlib.contextmanager
def undisturbed(*networks: nn.Module) -> Iterator[None]:
    """Eval mode, frozen weights and float32 inside; on exit all is restored, generators too.

    Buffers (batch-norm statistics) are copied because a probe may switch to train mode. Probes
    differentiate with respect to inputs only: with frozen weights no gradients of weights are
    computed, and 1-Lipschitz layers reuse their Gram matrices: 0.03 s a batch instead of 0.12
    (AOL-MLP of width 768).
    """
    modules = [m for network in networks for m in network.modules()]
    flags = [m.training for m in modules]
    parameters = [p for network in networks for p in network.parameters()]
    learning = [(p.grad, p.requires_grad) for p in parameters]
    buffers = [(b, b.clone()) for m in modules for b in m.buffers(recurse=False)]
    with generator_states(), float32_convolutions():
        try:
            for network in networks:
                network.eval().requires_grad_(False)
            for p in parameters:
                p.grad = None
            yield
        finally:
            for m, flag in zip(modules, flags, strict=True):
                m.training = flag
            for p, (gradient, learns) in zip(parameters, learning, strict=True):
                p.requires_grad_(learns).grad = gradient
            with torch.no_grad():
                for buffer, before in buffers:
                    buffer.copy_(before)
