"""A measured number with its confidence interval."""

import math
from dataclasses import dataclass

from scipy import special  # torch has no quantile of Student's t
from torch import Tensor

from metrics.functional.checks import check_number


def normal_quantile(confidence: float) -> float:
    """Half width, in standard deviations, of the normal's central interval.

    Example:
        >>> round(normal_quantile(0.95), 4)
        1.96
    """
    return float(special.ndtri((1 + confidence) / 2))


def student_quantile(freedom: float, confidence: float = 0.95) -> float:
    """Half width, in standard errors, of the central interval of Student's t.

    Example:
        >>> round(student_quantile(2), 4)
        4.3027
    """
    return float(special.stdtrit(freedom, (1 + confidence) / 2))


@dataclass(frozen=True)
class Estimate:
    """A value and its interval, 95 % unless `confidence` is another number.

    Reading it: an exact number has low = value = high. If no interval reaches its nominal coverage,
    low and high are NaN and `known` is False.

    Example:
        >>> Estimate.of(2.1e-4, half_width=0.4e-4)
        Estimate(value=0.00021, low=0.00017, high=0.00025, confidence=0.95)
    """

    value: float
    low: float
    high: float
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.confidence < 1:
            raise ValueError(f"confidence={self.confidence} must lie in (0, 1)")
        if math.isnan(self.value):
            raise ValueError(f"value {self.value}: an estimate needs a number")
        if self.known and not self.low <= self.high:
            raise ValueError(
                f"interval from {self.low} to {self.high}: need two numbers, low first"
            )

    @property
    def known(self) -> bool:
        """Whether there is an interval."""
        return not (math.isnan(self.low) and math.isnan(self.high))

    @classmethod
    def unknown(cls, value: float) -> "Estimate":
        """A number without an interval."""
        return cls(value, math.nan, math.nan)

    @classmethod
    def of(cls, value: float, half_width: float = 0.0, confidence: float = 0.95) -> "Estimate":
        """A number with a symmetric interval; a half width of 0 means that it is exact."""
        return cls(value, value - half_width, value + half_width, confidence)

    @classmethod
    def of_mean(cls, draws: Tensor, confidence: float = 0.95) -> "Estimate":
        """Mean of independent draws with its Student t interval.

        Example:
            >>> import torch
            >>> Estimate.of_mean(torch.tensor([1.0, 2.0, 3.0])).high   # 2 + 4.3027 / sqrt(3)
            4.484...
        """
        if draws.ndim != 1 or len(draws) < 2:
            raise ValueError(f"draws of shape {tuple(draws.shape)}: need (draws,) with at least 2")
        mean, error = float(draws.double().mean()), float(draws.double().std()) / len(draws) ** 0.5
        return cls.of(mean, student_quantile(len(draws) - 1, confidence) * error, confidence)

    @classmethod
    def of_median(cls, draws: Tensor, confidence: float = 0.95) -> "Estimate":
        """Median of independent draws of any law with the interval of the sign test.

        From the k-th smallest to the k-th largest draw, with the largest k for which this misses
        the median with probability 2 P(Binomial(n, 1/2) < k) <= 1 - confidence. Fewer than six
        draws have none at 95 %: five all lie on one side with probability 2 / 2^5.

        Example:
            >>> import torch
            >>> Estimate.of_median(torch.tensor([4.0, 2.0, 3.0, 1.0, 6.0, 5.0]))
            Estimate(value=3.5, low=1.0, high=6.0, confidence=0.95)
            >>> Estimate.of_median(torch.zeros(5)).known
            False
        """
        if draws.ndim != 1 or len(draws) == 0:
            raise ValueError(f"draws of shape {tuple(draws.shape)}: need (draws,) with at least 1")
        ordered = draws.double().sort().values
        value, n = _quantile(ordered, 0.5), len(ordered)
        kept = [
            k for k in range(1, n // 2 + 1) if 2 * special.bdtr(k - 1, n, 0.5) <= 1 - confidence
        ]
        if not kept:
            return cls.unknown(value)
        return cls(value, float(ordered[kept[-1] - 1]), float(ordered[-kept[-1]]), confidence)

    @classmethod
    def of_resamples(cls, value: float, resamples: Tensor) -> "Estimate":
        """A value with the 95 % percentile interval of its resamples.

        Resamples that are NaN are left out; infinite ones count.

        Example:
            >>> import torch
            >>> Estimate.of_resamples(2.0, torch.tensor([1.0, 2.0, 3.0, torch.inf])).high
            inf
        """
        known = resamples[~resamples.isnan()].sort().values
        if 2 * len(known) < len(resamples) or len(known) == 0:
            raise ValueError(
                f"only {len(known)} of {len(resamples)} resamples gave a value; "
                "there are too few points or clusters for an interval"
            )
        return cls(value, _quantile(known, 0.025), _quantile(known, 0.975))

    @property
    def deviation(self) -> float:
        """Standard deviation of the normal with this interval."""
        return (self.high - self.low) / (2 * normal_quantile(self.confidence))

    @property
    def log_deviation(self) -> float:
        """Standard deviation of the logarithm of the log-normal with this interval."""
        if self.low <= 0:
            raise ValueError(
                f"interval from {self.low} to {self.high} of a positive quantity: "
                "its lower end must be above 0; measure it with more draws"
            )
        return math.log(self.high / self.low) / (2 * normal_quantile(self.confidence))

    def scalars(self) -> dict[str, float]:
        """Loggable numbers."""
        return {"value": self.value, "low": self.low, "high": self.high}


def check_estimate(name: str, value: "Estimate | float", above: float | None = None) -> Estimate:
    """Return an estimate unchanged, a number as an exact one; the value is finite, above `above`.

    Example:
        >>> check_estimate("dimension", -1.0, above=0)
        Traceback (most recent call last):
        ValueError: dimension=-1.0 must be a finite number, above 0
    """
    check_number(name, value.value if isinstance(value, Estimate) else value, above)
    return value if isinstance(value, Estimate) else Estimate.of(value)


def _quantile(ordered: Tensor, share: float) -> float:
    """Linear between sorted values; `torch.quantile` returns NaN between two infinite ones."""
    place = share * (len(ordered) - 1)
    low, high = float(ordered[math.floor(place)]), float(ordered[math.ceil(place)])
    return low if low == high else low + (place % 1) * (high - low)
