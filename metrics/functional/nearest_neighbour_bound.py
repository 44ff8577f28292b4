"""How many samples make 1-NN robust, if any robust classifier exists (a theorem, not a fit)."""

import math


def nearest_neighbour_bound(delta: float, dimension: int, n: int) -> float:
    """Lower bound of the robust accuracy of 1-NN, on average over training sets of size n.

        P >= 1 - ceil(1/delta)^d / (n e)        (Prach & Lampert 2025, Theorem 2 and Eq. 26)

    for data in [0, 1]^d on which some classifier is robust with L_inf margin delta; 1-NN is then
    robust at radius delta/2.

    Reading it: if a robust classifier exists, one can be learned, with a number of samples
    exponential in d (O(c^d d^(d/2)) in L2). Zero means that the theorem gives no bound for so few
    samples.

    Example:
        >>> round(nearest_neighbour_bound(delta=0.5, dimension=2, n=37 * 4), 6)
        0.990057
    """
    if n < 1:
        raise ValueError(f"n={n} must be at least 1")
    boxes = _boxes(delta, dimension)
    # Integers divide to the nearest float, also where 1/delta^d is larger than any float.
    return max(0.0, 1 - (boxes / n) / math.e) if boxes < n * 3 else 0.0


def nearest_neighbour_samples(delta: float, dimension: int, accuracy: float = 0.99) -> int:
    """Training samples after which 1-NN is robust at radius delta/2 for that share of points.

        n = ceil(1 / (e (1 - accuracy))) ceil(1/delta)^d,  37 ceil(1/delta)^d for 99 %

    Reading it: delta as in `nearest_neighbour_bound`. Exact (an integer of any length); take
    `math.log10` of it for a plot. 37 is the smallest whole factor: 36 guarantees 98.98 %.

    Example:
        >>> nearest_neighbour_samples(delta=0.5, dimension=3)
        296
        >>> round(math.log10(nearest_neighbour_samples(delta=0.1, dimension=3072)), 2)
        3073.57
    """
    if not 0 <= accuracy < 1:
        raise ValueError(f"accuracy={accuracy} must lie in [0, 1): 1 needs infinitely many samples")
    return math.ceil(1 / (math.e * (1 - accuracy))) * _boxes(delta, dimension)


def _boxes(delta: float, dimension: int) -> int:
    if not (math.isfinite(delta) and delta > 0) or dimension < 1:
        raise ValueError(
            f"delta={delta} and dimension={dimension}: need delta > 0 and dimension >= 1"
        )
    # 1 / (1 / 49) is a little above 49
    return math.ceil(1 / delta * (1 - 1e-12)) ** dimension
