"""A straight line through points, and its prediction for a new one."""

from torch import Tensor

from metrics.functional.estimate import Estimate, student_quantile


def predict_line(x: Tensor, y: Tensor, at: float, confidence: float = 0.95) -> Estimate:
    """Least-squares line through points (x, y), evaluated at x0, with its prediction interval.

        y(x0) +- t s sqrt(1 + 1/N + (x0 - mean x)^2 / sum (x - mean x)^2),  s^2 = RSS / (N - 2)

    Reading it: the interval is for a single new point, not for the line; it widens away from the
    points, and with a dozen of them it is often wider than the trend.

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
    half_width = student_quantile(len(x) - 2, confidence) * float(error * reach)
    return Estimate.of(float(y.mean() + slope * (at - x.mean())), half_width, confidence)
