"""Marchenko-Pastur edges: how far eigenvalues spread from sampling alone."""

import math


def marchenko_pastur_edges(dimension: int, samples: int) -> tuple[float, float]:
    r"""Range of the eigenvalues of a sample covariance whose true one is I.

        lambda_+- = (1 +- sqrt(D / N))^2

    (Marchenko and Pastur 1967.) The MLP's G_F is a multiple of I, so its measured spectrum shows
    this spread only. For N < D the smallest eigenvalue is 0.

    Reading it: draw them on every spectrum of a G_F from N independent rows, scaled by tr(G) / D. A
    spectrum inside them shows no preference that N rows can distinguish from noise.

    Example:
        >>> marchenko_pastur_edges(100, 400)
        (0.25, 2.25)
    """
    if dimension < 1 or samples < 1:
        raise ValueError(f"dimension={dimension} and samples={samples} must be 1 or more")
    ratio = math.sqrt(dimension / samples)
    return (1 - min(ratio, 1.0)) ** 2, (1 + ratio) ** 2
