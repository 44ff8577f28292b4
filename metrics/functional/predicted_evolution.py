"""Predicted Delta_F: Theorems 3.1 and 3.2 of Movahedi et al., with their constants."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from metrics.functional.checks import check_whole
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_checks import check_input_shape
from metrics.functional.initial_geometry import redrawn
from metrics.functional.initialisation import Initialisation


@dataclass(frozen=True)
class PredictedEvolution:
    """Delta_F = -2 (signal x M + rest x E), M the leading matrix and E the neglected one."""

    signal: float  # coefficient of M: S, or K S K
    rest: float  # coefficient of E: tr(S) I, or tr(A S A^T) K
    correlation: float  # Corr(Delta_F, M), in [-1, 0]


def perceptron_evolution(
    covariance: Geometry, width: int, weight_variance: float, head_variance: float
) -> PredictedEvolution:
    r"""Delta_F of one hidden ReLU layer, f(x) = sum_i w_i relu(phi_i^T x), i = 1..n (Theorem 3.1).

        Delta_F = -2 {[(n^2 - n)/16 (w2 p4 + w4 p2) + n (w2 p4 / 2 + 3 w4 p2 / 4)] S
                      + n w2 p4 / 4 tr(S) I},    w2 = Var w, w4 = w2^2, p2 = Var phi, p4 = p2^2

    Gaussian weights, points x ~ N(0, I), large D: two random points are then orthogonal, so that
    half of the units are active on both and the moments of the gates are 1/4 and 1/16. (The paper's
    Lemma A.6 has 1/2 and 1/3, those of an angle that is uniform, as in two dimensions.)

    Reading it: tends to -1 with the width only where n^2 outgrows the trace term, n tr(S) I, whose
    norm is sqrt(D) tr(S): data with a flat spectrum need a width far above D.

    Example:
        >>> s = Geometry.from_rows(torch.diag(torch.tensor([2.0, 1.0, 1.0, 1.0])), (1, 2, 2))
        >>> [round(perceptron_evolution(s, n, 0.25, 1 / n).correlation, 3) for n in (1, 1000)]
        [-0.993, -1.0]
    """
    n = check_whole("width", width, least=1)
    p2, w2 = weight_variance, head_variance
    both = w2 * p2**2
    signal = (n * n - n) / 16 * (both + w2**2 * p2) + n * (both / 2 + 0.75 * w2**2 * p2)
    rest = n * both / 4
    trace, squared = covariance.trace, covariance.norm**2
    # E = tr(S) I, with <I, S> = tr(S) and |I|^2 = D
    found = _correlation(signal, squared, rest * trace, trace, covariance.dimension)
    return PredictedEvolution(signal, rest, found)


def convolution_evolution(
    covariance: Geometry,
    pooling: Geometry,
    width: int,
    weight_variance: float,
    head_variance: float,
) -> PredictedEvolution:
    r"""Delta_F of a linear convolution with global average pooling, f(x) = w^T Phi A x (Thm. 3.2).

        Delta_F = -2 {[p2 w4 n (n + 2) + w2 p4 n (n + 1)] K S K + w2 p4 n tr(A S A^T) K},
        K = A^T A,   G_F = n w2 p2 K,   w2 = Var w, w4 = w2^2, p2 = Var Phi, p4 = p2^2

    exact for Gaussian weights at any width of n channels; `pooling` is K, see `pooled_patches`.

    Reading it: the second term is smaller by 1/n, so 1 - |Corr(Delta_F, G_F S G_F)| falls as
    1/n^2.

    Example:
        >>> s = Geometry.from_rows(torch.eye(9)[:4], (1, 3, 3))
        >>> k = pooled_patches((1, 3, 3), kernel=2)
        >>> gap = [1 + convolution_evolution(s, k, n, 0.25, 1.0).correlation for n in (64, 128)]
        >>> 3.8 < gap[0] / gap[1] < 4.2
        True
    """
    n = check_whole("width", width, least=1)
    p2, w2 = weight_variance, head_variance
    signal = p2 * w2**2 * n * (n + 2) + w2 * p2**2 * n * (n + 1)
    rest = w2 * p2**2 * n
    pooling = pooling.to(covariance.device)
    leading = pooling.sandwich(covariance)
    error = rest * pooling.inner(covariance)  # tr(A S A^T) = tr(K S)
    mixed = pooling.inner(leading)
    found = _correlation(signal, leading.norm**2, error, mixed, pooling.norm**2)
    return PredictedEvolution(signal, rest, found)


def _correlation(m: float, m_squared: float, e: float, mixed: float, e_squared: float) -> float:
    """Corr(-(m M + e E), M) from |M|^2, <E, M> and |E|^2."""
    inner = m * m_squared + e * mixed
    length = m**2 * m_squared + 2 * m * e * mixed + e**2 * e_squared
    return -inner / (length * m_squared) ** 0.5


def pooled_patches(input_shape: tuple[int, int, int], kernel: int) -> Geometry:
    """K = A^T A, with A x the mean over all kernel x kernel patches of an image (C, H, W).

    This mean is the only input of a pooled convolution without padding. Row (c, i, j) of A is the
    mean of all pixels that meet entry (i, j) of the kernel, so K has rank C x kernel^2.

    Example:
        >>> round(float(pooled_patches((1, 1, 3), kernel=1).dense().sum()), 9)  # 1/9 everywhere
        1.0
    """
    c, h, w = check_input_shape(input_shape)
    if not 1 <= kernel <= min(h, w):
        raise ValueError(f"kernel={kernel} does not fit images of {h} x {w}; use 1 to {min(h, w)}")
    down, across = h - kernel + 1, w - kernel + 1
    rows: list[Tensor] = []
    for channel in range(c):
        for i in range(kernel):
            for j in range(kernel):
                row = torch.zeros(c, h, w, dtype=torch.float64)
                row[channel, i : i + down, j : j + across] = 1 / (down * across)
                rows.append(row.flatten())
    return Geometry.from_rows(torch.stack(rows), (c, h, w), torch.ones(len(rows)))


def network_evolution(
    network: nn.Module, covariance: Geometry, shape: tuple[int, int, int]
) -> tuple[Literal["s", "gsg"], PredictedEvolution] | None:
    """The prediction for a network of Theorem 3.1 ("s") or 3.2 ("gsg"); None for other networks.

    Both have two layers without biases and with Gaussian weights, drawn by `reset_parameters`:
    linear with a ReLU, or a convolution of every patch with global pooling.

    Example:
        >>> s = Geometry.from_rows(torch.eye(4), (1, 2, 2))
        >>> network_evolution(nn.Linear(4, 2), s, (1, 2, 2)) is None  # one layer only
        True
    """
    law = Initialisation(redrawn(network), seed=0)
    layers = [m for m in law.model.modules() if isinstance(m, nn.Linear | nn.Conv2d)]
    gates = [m for m in law.model.modules() if isinstance(m, nn.ReLU | nn.GELU)]
    spread = [law.standard_deviation(layer.weight) for layer in layers]
    variances = [deviation**2 for deviation in spread if deviation is not None]
    if len(layers) != 2 or len(variances) != 2 or any(m.bias is not None for m in layers):
        return None
    first = layers[0]
    if isinstance(first, nn.Linear) and len(gates) == 1 and isinstance(gates[0], nn.ReLU):
        return "s", perceptron_evolution(covariance, first.out_features, *variances)
    if isinstance(first, nn.Conv2d) and not gates and _plain(first):
        k = pooled_patches(shape, first.kernel_size[0])
        return "gsg", convolution_evolution(covariance, k, first.out_channels, *variances)
    return None


def _plain(layer: nn.Conv2d) -> bool:
    """Whether it uses every square patch inside the image once, as in the theorem."""
    kernel, steps = layer.kernel_size, (layer.stride, layer.dilation)
    whole = layer.padding in (0, (0, 0), "valid") and layer.groups == 1
    return whole and kernel[0] == kernel[1] and steps == ((1, 1), (1, 1))
