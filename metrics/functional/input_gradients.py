"""Gradients of one scalar of a network with respect to its input."""

from typing import Literal

import torch
from torch import Tensor, nn

from metrics.functional.checks import check_network, check_points, check_whole
from metrics.functional.choice import check_choice
from metrics.functional.evaluation_mode import evaluation_mode
from metrics.functional.grad_enabled import grad_enabled
from metrics.functional.independent_images import check_independent_images

Scalar = Literal["logit", "mean", "difference"]


def scalar_coefficients(scalar: Scalar, outputs: int, logit: int = 0) -> Tensor:
    """The weights c (outputs,) of the scalar f = c . logits.

    `logit` is one output, `mean` the mean of all (what the published code averages at
    initialisation), `difference` f_1 - f_0 (the natural scalar of a two-class cross-entropy net).

    Example:
        >>> scalar_coefficients("difference", 2)
        tensor([-1.,  1.])
    """
    check_choice("scalar", scalar, Scalar)
    if scalar == "difference" and outputs != 2:
        raise ValueError(f"scalar='difference' needs 2 outputs, not {outputs}; use logit or mean")
    check_whole("logit", logit, 0, outputs - 1)
    if scalar == "mean":
        return torch.full((outputs,), 1 / outputs)
    coefficients = torch.zeros(outputs)
    coefficients[1 if scalar == "difference" else logit] = 1.0
    if scalar == "difference":
        coefficients[0] = -1.0
    return coefficients


def scalar_output(logits: Tensor, scalar: Scalar, logit: int = 0) -> Tensor:
    """Reduce logits (B, outputs), or (B,) of a network with one, to one number per image."""
    logits = logits.reshape(len(logits), -1)
    return logits @ scalar_coefficients(scalar, logits.shape[1], logit).to(logits)


def input_gradients(
    model: nn.Module,
    x: Tensor,
    scalar: Scalar = "logit",
    logit: int = 0,
    batch: int = 256,
    check: bool = True,
) -> Tensor:
    """Rows grad_x f(x_i), flattened in C, H, W order: (B, D).

    The network is in eval mode meanwhile, its `.grad` fields do not change, and this works inside
    `no_grad` and `inference_mode` (a validation loop) too.

    Args:
        model: Any network from (B, C, H, W) to logits whose images do not interact in eval mode.
        x: Points (B, C, H, W).
        scalar: Which function of the logits f is.
        logit: The output meant by `scalar="logit"`.
        batch: Images per backward pass; bounds memory, changes nothing else.
        check: Whether to check that images do not interact: four images forward. Once per network
            is enough.

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
    check_whole("batch", batch, least=1)
    rows = []
    with evaluation_mode(model), grad_enabled(x) as (usable,):
        if check:
            check_independent_images(model, x)
        for start in range(0, len(x), batch):
            points = usable[start : start + batch].detach().requires_grad_()
            total = scalar_output(model(points), scalar, logit).sum()
            if not total.requires_grad:
                raise ValueError("the model's output has no gradient: is it detached inside it?")
            rows.append(torch.autograd.grad(total, points)[0].flatten(1))
    return torch.cat(rows)
