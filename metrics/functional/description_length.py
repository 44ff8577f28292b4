"""How long a network that memorises its data must be, in bits."""

import math

from metrics.functional.checks import check_whole


def description_length(n: int, dimension: int, x_digits: int, y_digits: int) -> float:
    """Bits of a two-layer ReLU network that can fit any labels of n points.

        (n (s_x + 1) + d s_x + n s_y) log2 10        (Brandao et al. 2023, Proposition 1)

    with d input dimensions and s_x, s_y significant decimal digits of inputs and labels.

    Reading it: a network that compresses to fewer bits cannot be expected to overfit the data; one
    far above it has room to memorise, which does not mean that it does. 8-bit images have s_x = 3
    digits, ten classes s_y = 1. The published CIFAR-10 figure (125 kB) takes n = 60,000, training
    and test images, and d = 32^2, one channel.

    Example:
        >>> round(description_length(60_000, 32**2, x_digits=3, y_digits=1) / 8000, 2)  # kB
        125.85
    """
    sizes = {"n": n, "dimension": dimension, "x_digits": x_digits, "y_digits": y_digits}
    for name, size in sizes.items():
        check_whole(name, size, least=1)
    digits = n * (x_digits + 1) + dimension * x_digits + n * y_digits
    return digits * math.log2(10)
