"""How long a network that memorises its data must be, in bits."""

import math
from dataclasses import dataclass

from metrics.functional.checks import check_whole


@dataclass(frozen=True)
class DescriptionLength:
    """Length of a two-layer ReLU network that can fit any labels of the data."""

    bits: float

    @property
    def kilobytes(self) -> float:
        """The same in kB of 1000 bytes."""
        return self.bits / 8000

    def scalars(self) -> dict[str, float]:
        """Loggable numbers."""
        return {"bits": self.bits, "kilobytes": self.kilobytes}


def description_length(n: int, dimension: int, x_digits: int, y_digits: int) -> DescriptionLength:
    """Bits that suffice to memorise n points in finite precision.

        (n (s_x + 1) + d s_x + n s_y) log2 10        (Brandao et al. 2023, Proposition 1)

    with d input dimensions and s_x, s_y significant decimal digits of inputs and labels.

    Reading it: a network that compresses to fewer bits cannot be expected to overfit the data; one
    far above it has room to memorise, which does not mean that it does. 8-bit images have s_x = 3
    digits, ten classes s_y = 1. The published CIFAR-10 figure (125 kB) takes n = 60,000, training
    and test images, and d = 32^2, one channel.

    Raises:
        ValueError: If a number is not whole or below 1.

    Example:
        >>> round(description_length(60_000, 32**2, x_digits=3, y_digits=1).kilobytes, 2)
        125.85
    """
    sizes = {"n": n, "dimension": dimension, "x_digits": x_digits, "y_digits": y_digits}
    for name, size in sizes.items():
        check_whole(name, size, least=1)
    digits = n * (x_digits + 1) + dimension * x_digits + n * y_digits
    return DescriptionLength(bits=digits * math.log2(10))
