"""A straight line through points, and its prediction for a new one."""

from scipy import special  # torch has no quantile of Student's t
from torch import Tensor

from metrics.functional.estimate import Estimate


def predict_line(x: Tensor, y: Tensor, at: float, confidence: float = 0.95) -> Estimate:
    """Least-squares line through (x, y), read off at a new x, with its prediction interval.

        y(x0) +- t s sqrt(1 + 1/N + (x0 - mean x)^2 / sum (x - mean x)^2),  s^2 = RSS / (N - 2)

    Reading it: the interval holds one further point, not the line; it widens away from the points,
    and with a dozen of them it is often wider than the trend.

    Args:
        x: (N,) positions, at least three, not all equal.
        y: (N,) values.
        at: x0, where a value is wanted.
        confidence: Of the interval.

    Returns:
        The value on the line with the interval for a single new point.

    Raises:
        ValueError: If shapes differ, there are fewer than three points, or all x are equal.

    Example:
        >>> import torch
        >>> x = torch.tensor([0.0, 1.0, 2.0])
        >>> line = predict_line(x, 1 + 2 * x, at=4.0)
        >>> line.value, line.high
        (9.0, 9.0)
    """
    if x.ndim != 1 or x.shape != y.shape or len(x) < 3:
        raise ValueError(f"x {tuple(x.shape)}, y {tuple(y.shape)}: need (N,) both, N at least 3")
    x, y = x.double(), y.double()
    spread = (x - x.mean()).square().sum()
    if not spread > 0:
        raise ValueError(f"all {len(x)} points are at x={float(x[0])}: a line needs two places")
    slope = ((x - x.mean()) * (y - y.mean())).sum() / spread
    residual = y - y.mean() - slope * (x - x.mean())
    error = (residual.square().sum() / (len(x) - 2)).sqrt()
    reach = (1 + 1 / len(x) + (at - x.mean()) ** 2 / spread).sqrt()
    half_width = float(special.stdtrit(len(x) - 2, (1 + confidence) / 2)) * float(error * reach)
    value = float(y.mean() + slope * (at - x.mean()))
    return Estimate(value, value - half_width, value + half_width, confidence)
