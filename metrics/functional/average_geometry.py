"""G_F: the average input-space geometry of randomly initialised networks."""

from collections.abc import Callable

import torch
from torch import nn

from metrics.functional.checks import check_number, check_whole
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_checks import check_input_shape
from metrics.functional.geometry_symmetry import Symmetries, check_symmetries
from metrics.functional.grouped_geometry import draw_groups
from metrics.functional.input_gradients import Scalar
from metrics.functional.random_rows import RandomRows


@torch.inference_mode(False)  # networks built under inference mode would have no gradients
def average_geometry(
    build: Callable[[], nn.Module],
    input_shape: tuple[int, int, int],
    models: int = 1000,
    probes: int | None = None,
    sigma: float = 1e-3,
    heads: int | None = None,
    symmetry: Symmetries = "none",
    *,
    scalar: Scalar = "logit",
    patch: int | None = None,
    target_error: float | None = None,
    exact: bool = False,
    seed: int = 0,
) -> Geometry:
    r"""Estimate G_F by Monte Carlo over initialisations, probe points and output heads.

        G_F = E_theta E_x [grad_x f_theta(x) grad_x f_theta(x)^T],   x ~ N(0, sigma^2 I)

    (Movahedi et al. 2025, Def. 2.1, uncentred.) The relative mean squared error is
    (rho + (1 - rho) / K) V / models, with K rows per random network and rho the correlation of two
    rows of one network. Where the network ends in an `nn.Linear` each row has its own probe and
    random head, which lowers rho from nearly 1 (GELU, sigma <= 1e-3) to 0.00-0.03. K is chosen by
    `RandomRows.best_rows`.

    Reading it: eigenvectors with large eigenvalues are the directions to which the architecture is
    sensitive before training. `error` is the relative split-half error of the whole matrix; a
    single eigenvector is reliable only if it is far below the gaps of the spectrum. Compare the
    spectrum with `marchenko_pastur_edges`.

    Args:
        build: Returns a freshly initialised network, (B, C, H, W) to logits.
        input_shape: (C, H, W).
        models: Networks drawn at most.
        probes: Rows per network; None chooses the number.
        sigma: Standard deviation of probe points.
        heads: Output heads per network; None takes one per row where the network allows it.
        symmetry: Symmetries of the architecture's law to average over, see `symmetrise`.
        scalar: f as the first logit, the mean of logits, or f_1 - f_0.
        patch: Side of a patch, for `symmetry="tokens"`.
        target_error: Stop once the split-half error is below this.
        exact: Sum in float64, a third slower: for eigenvalues below 1e-7 of the largest.
        seed: Of all draws; the global generators keep their state.

    Example:
        >>> linear = lambda: nn.Sequential(nn.Flatten(), nn.Linear(4, 1))  # weights U(-1/2, 1/2)
        >>> g = average_geometry(linear, (1, 2, 2), models=500, seed=0)
        >>> round(12 * g.trace / 4, 1)
        1.0
    """
    _check_draws(build, models, probes, heads)
    shape = check_input_shape(input_shape)
    names = check_symmetries(symmetry, shape, patch)
    sigma = check_number("sigma", sigma, least=0)
    if target_error is not None:
        target_error = check_number("target_error", target_error, above=0)
    source = RandomRows(build, shape, sigma, heads, scalar, seed)

    return draw_groups(source, models, probes, names, patch, target_error, exact).mean()


def _check_draws(
    build: Callable[[], nn.Module], models: int, probes: int | None, heads: int | None
) -> None:
    if not callable(build):
        raise TypeError(f"build is a {type(build).__name__}; pass a function that makes a network")
    for name, value, least in (("models", models, 2), ("probes", probes, 1), ("heads", heads, 1)):
        if value is not None:
            check_whole(name, value, least)
