"""Singular values of the point Jacobian."""

from contextlib import nullcontext
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm  # the base of all, without a public name

from metrics.functional.checks import check_choice, check_network, check_points, check_whole
from metrics.functional.evaluation_mode import evaluation_mode
from metrics.functional.first_linear import cut_after, first_linear, narrow_factor
from metrics.functional.grad_enabled import grad_enabled
from metrics.functional.independent_images import check_independent_images
from metrics.functional.point_jacobian import has_convolution, jacobian_rows
from metrics.functional.single_image_statistics import single_image_statistics
from metrics.functional.singular_values import singular_values

Gauge = Literal["raw", "centred"]
Mode = Literal["eval", "train_b1"]


def helmert(classes: int) -> Tensor:
    """Orthonormal basis of the differences of logits, as rows: (classes - 1, classes).

    Example:
        >>> helmert(3)
        tensor([[ 0.7071, -0.7071,  0.0000],
                [ 0.4082,  0.4082, -0.8165]], dtype=torch.float64)
    """
    k = torch.arange(1, classes, dtype=torch.float64)[:, None]
    column = torch.arange(classes)[None]
    rows = (column < k).double() - k * (column == k)
    return rows / (k * (k + 1)).sqrt()


def _check(model: nn.Module, x: Tensor, gauge: str, mode: str, chunk: int | None) -> None:
    check_choice("gauge", gauge, Gauge)
    check_choice("mode", mode, Mode)
    if chunk is not None:
        check_whole("chunk", chunk, least=1)
    check_points("x", x)
    check_network(model, x)
    norms = [m for m in model.modules() if isinstance(m, _BatchNorm)]
    if mode == "eval" and any(m.running_mean is None for m in norms):
        raise ValueError(
            "a batch normalisation keeps no running statistics, so images of a batch depend on "
            "each other and have no Jacobian of their own: use mode='train_b1'"
        )


def jacobian_spectrum(
    model: nn.Module,
    x: Tensor,
    gauge: Gauge = "raw",
    mode: Mode = "eval",
    chunk: int | None = None,
    check: bool = True,
) -> Tensor:
    """All singular values of J(x) = d logits / d x at each image (Brandao et al. 2023).

    Returns (points, values), descending, in float64; rounding errors are exactly 0. `log_spectrum`
    describes them.

    Reading it: E[log sigma] is the paper's complexity of the fit; it grows while a network fits,
    and more under label noise. Softmax ignores a common shift of the logits, and without weight
    decay SGD never changes it: in the "raw" gauge that direction is a separate mode of mass 1/C
    with its initial size, which "centred" projects out. J is per unit of x: multiplying the images
    by b lowers log sigma by log b.

    Args:
        model: Network from x to logits, (points, classes) or (points,).
        x: Images, (points, ...); for a convolutional network on CPU `channels_last` can be faster.
        gauge: "raw", all C values, or "centred", the C - 1 of the differences of logits.
        mode: "eval", running statistics in batch normalisation; "train_b1", each image's own, as in
            the paper's code: J x = 0 there for a scale-invariant network.
        chunk: Images per pass; by default 16 for convolutions, else 64, less where x is large.
            Changes memory and time, not the result.
        check: Whether to check that images do not interact; once per network is enough.

    Example:
        >>> net = nn.Linear(3, 2, bias=False)
        >>> _ = net.weight.data.copy_(torch.tensor([[3.0, 0.0, 0.0], [0.0, 0.0, -4.0]]))
        >>> jacobian_spectrum(net, torch.zeros(1, 3))
        tensor([[4., 3.]], dtype=torch.float64)
        >>> jacobian_spectrum(net, torch.zeros(1, 3), gauge="centred") ** 2
        tensor([[12.5000]], dtype=torch.float64)
    """
    _check(model, x, gauge, mode, chunk)
    convolution = has_convolution(model)
    size = chunk or max(1, min(16 if convolution else 64, 2**22 // x[0].numel()))
    statistics = single_image_statistics(model) if mode == "train_b1" else nullcontext()
    parts = []
    with grad_enabled(x) as (x,), evaluation_mode(model), statistics:
        if check:
            check_independent_images(model, x)
        layer = first_linear(model, x[:1])
        # the factor costs a QR decomposition, which pays off from about as many images as rows
        if layer is not None and len(x) < layer.out_features:
            layer = None
        factor = None if layer is None else narrow_factor(layer)
        for images in torch.split(x, size):
            if layer is None:
                leaf = images.detach().requires_grad_()
                logits = model(leaf)
            else:
                with cut_after(layer) as cut:
                    logits = model(images.detach())
                leaf = cut[0]
            if not logits.requires_grad:
                raise ValueError("the model's output has no gradient: is it detached inside it?")
            J = jacobian_rows(logits.reshape(len(images), -1), leaf, not convolution, factor)
            if gauge == "centred":
                if J.shape[1] < 2:
                    raise ValueError("gauge='centred' needs at least 2 logits, the model has 1")
                J = helmert(J.shape[1]).to(J) @ J
            parts.append(singular_values(J))
    return torch.cat(parts)
