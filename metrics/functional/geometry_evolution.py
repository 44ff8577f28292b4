"""Delta_F: the rate of change of random networks' geometry at the start of training."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from metrics.functional.checks import (
    check_column,
    check_finite,
    check_network,
    check_points,
    check_type,
)
from metrics.functional.evaluation_mode import evaluation_mode
from metrics.functional.factor import squared_norms
from metrics.functional.geometry import Geometry
from metrics.functional.grad_enabled import grad_enabled
from metrics.functional.independent_images import check_independent_images
from metrics.functional.input_gradients import Scalar, scalar_output


def geometry_evolution(
    models: Iterable[nn.Module],
    probes: Tensor,
    x: Tensor,
    y: Tensor | None = None,
    scalar: Scalar = "logit",
) -> Geometry:
    r"""Delta_F, the rate of change of G under gradient flow on the summed squared error.

        Delta_F = E_theta E_x [dg g^T + g dg^T],   g = grad_x f,   dg = (d g / d theta) thetadot,
        thetadot = -sum_mu grad_theta f(x_mu) (f(x_mu) - y_mu)

    (Movahedi et al. 2025, Eqs. 2-3.) dg is the gradient in x of the Jacobian-vector product
    (grad_theta f) . thetadot, so one network costs three backward passes. Labels y = 0 have the
    same mean for heads that are symmetric about 0 (Prop. A.1) and less variance.

    Reading it: for a linear model Delta_F = -2 sigma^2 S, for wide CNNs it tends to -G S G, so its
    correlations with those tend to -1. The paper plots absolute values. That Delta_F is negative
    means that sensitive directions of the data are damped first, not that they are learned last.

    Args:
        models: Networks, say `Initialisation(build, seed).draws(1000)`; parameters with
            `requires_grad=False` are included.
        probes: Points (B, C, H, W) where G is measured.
        x: Training images (m, C, H, W).
        y: Targets (m,), or None for zeros; (m, 1) is refused, which would broadcast to m x m.
        scalar: Which function of the logits f is.

    Example:
        >>> from metrics.functional import covariance_of, geometry_correlation
        >>> linear = [nn.Sequential(nn.Flatten(), nn.Linear(2, 1, bias=False)) for _ in range(200)]
        >>> probe, images = torch.zeros(1, 1, 1, 2), torch.eye(2).reshape(2, 1, 1, 2)
        >>> delta = geometry_evolution(linear, probe, images)
        >>> geometry_correlation(delta, covariance_of(images)) < -0.95
        True
    """
    check_points("x", x)
    check_points("probes", probes, x.shape[1:])
    if x.ndim != 4:
        raise ValueError(f"images are {tuple(x.shape)}; need (m, C, H, W)")
    targets = x.new_zeros(len(x)) if y is None else check_column("y", y, len(x)).to(x)
    check_finite("y", targets)
    check_type("models", models, Iterable)
    pairs = [_gradient_and_change(model, probes, x, targets, scalar) for model in models]
    if not pairs:
        raise ValueError("no networks were given; an evolution needs at least one")
    g, dg = (torch.cat(rows) for rows in zip(*pairs, strict=True))
    # dg g^T + g dg^T = [(g + c dg)(.)^T - (g - c dg)(.)^T] / 2c, with c = |g| / |dg| for rounding
    c = (squared_norms(g) / squared_norms(dg)).sqrt()
    c[~(c.isfinite() & (c > 0))] = 1.0  # g or dg is 0 if all units are off; so is the product
    step = c[:, None].to(dg.dtype) * dg
    weights = torch.cat([1 / c, -1 / c]) / (2 * len(g))
    return Geometry.from_rows(torch.cat([g + step, g - step]), probes.shape[1:], weights)


def _gradient_and_change(
    model: nn.Module, probes: Tensor, x: Tensor, y: Tensor, scalar: Scalar
) -> tuple[Tensor, Tensor]:
    """Rows g and dg (B, D) of one network."""
    check_network(model, x)
    check_network(model, probes, "probes")
    parameters = list(model.parameters())
    frozen = [parameter for parameter in parameters if not parameter.requires_grad]
    for parameter in frozen:
        parameter.requires_grad_(True)
    try:
        with evaluation_mode(model), grad_enabled(probes, x, y) as (points, x, y):
            check_independent_images(model, x)
            loss = (scalar_output(model(x), scalar) - y).square().sum() / 2
            velocity = torch.autograd.grad(loss, parameters, allow_unused=True)
            points = points.detach().requires_grad_()
            total = scalar_output(model(points), scalar).sum()
            first = torch.autograd.grad(
                total, [points, *parameters], create_graph=True, allow_unused=True
            )
            product = total * 0  # stays in the graph where no parameter meets both
            for slope, speed in zip(first[1:], velocity, strict=True):
                if slope is not None and speed is not None:
                    product = product - (slope * speed).sum()
            (change,) = torch.autograd.grad(product, points, materialize_grads=True)
    finally:
        for parameter in frozen:
            parameter.requires_grad_(False)
    return first[0].detach().flatten(1), change.flatten(1)
