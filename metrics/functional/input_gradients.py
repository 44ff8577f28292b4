"""Gradients of one scalar of a network with respect to its input."""

from typing import Literal

import torch
from torch import Tensor, nn

from metrics.functional.checks import check_choice, check_network, check_points
from metrics.functional.evaluation_mode import evaluation_mode
from metrics.functional.grad_enabled import grad_enabled
from metrics.functional.independent_images import check_independent_images

Scalar = Literal["logit", "mean", "difference"]
BATCH = 256  # images per backward pass; limits memory, changes nothing else


def scalar_coefficients(scalar: Scalar, outputs: int) -> Tensor:
    """The weights c (outputs,) of the scalar f = c . logits.

    `logit` is the first output, `mean` the mean of all (the published code's choice at
    initialisation), `difference` f_1 - f_0 (the natural scalar of a two-class cross-entropy net).

    Example:
        >>> scalar_coefficients("difference", 2)
        tensor([-1.,  1.])
    """
    check_choice("scalar", scalar, Scalar)
    if scalar == "difference" and outputs != 2:
        raise ValueError(f"scalar='difference' needs 2 outputs, not {outputs}; use logit or mean")
    if scalar == "difference":
        return torch.tensor([-1.0, 1.0])
    if scalar == "mean":
        return torch.full((outputs,), 1 / outputs)
    first = torch.zeros(outputs)
    first[0] = 1.0
    return first


def scalar_output(logits: Tensor, scalar: Scalar) -> Tensor:
    """Reduce logits (B, outputs), or (B,) of a network with one, to one number per image."""
    logits = logits.reshape(len(logits), -1)
    return logits @ scalar_coefficients(scalar, logits.shape[1]).to(logits)


def input_gradients(
    model: nn.Module, x: Tensor, scalar: Scalar = "logit", check: bool = True
) -> Tensor:
    """Rows grad_x f(x_i) at points (B, C, H, W), flattened in C, H, W order: (B, D).

    f is a scalar of the logits, see `scalar_coefficients`. The network is measured in eval mode,
    where its images must not interact; `check=False` skips the test of this, which is enough once
    per network. Its `.grad` fields do not change. Works in `no_grad` and `inference_mode` too.

    Example:
        >>> linear = nn.Sequential(nn.Flatten(), nn.Linear(4, 1))
        >>> rows = input_gradients(linear, torch.randn(3, 1, 2, 2))
        >>> torch.equal(rows, linear[1].weight.detach().expand(3, 4))
        True
    """
    check_points("x", x)
    if x.ndim != 4:
        raise ValueError(f"points are {tuple(x.shape)}; need (B >= 1, C, H, W)")
    check_network(model, x)
    rows = []
    with evaluation_mode(model), grad_enabled(x) as (usable,):
        if check:
            check_independent_images(model, x)
        for part in usable.split(BATCH):
            points = part.detach().requires_grad_()
            total = scalar_output(model(points), scalar).sum()
            if not total.requires_grad:
                raise ValueError("the model's output has no gradient: is it detached inside it?")
            rows.append(torch.autograd.grad(total, points)[0].flatten(1))
    return torch.cat(rows)
