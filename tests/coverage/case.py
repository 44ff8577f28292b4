"""One interval under simulation: how often does it contain what it claims to contain?"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """An interval (or a test) with a known truth.

    Args:
        name: of the interval and the population, as the table shows it.
        over: what is drawn anew in each simulation: `point sets`, `data sets`, `seeds`.
        draw: one simulation from its seed: True when the interval contained the truth (of a
            test: when it rejected); None when the product withheld the interval.
        nominal: the promised share: 0.95 for an interval, 0.05 for the size of a test.
    """

    name: str
    over: str
    draw: Callable[[int], bool | None]
    nominal: float = 0.95


@dataclass(frozen=True)
class Coverage:
    """What simulations of a case gave."""

    case: Case
    share: float  # of the intervals that were given
    withheld: int
    draws: int

    @property
    def holds(self) -> bool:
        """Within 0.02 of what is promised: 0.93 to 0.97 for intervals, 0.03 to 0.07 for tests."""
        return abs(self.share - self.case.nominal) <= 0.02


def simulate(case: Case, draws: int, seed: int = 0) -> Coverage:
    """Run a case `draws` times.

    >>> simulate(Case("a coin", "flips", lambda seed: seed % 20 != 0), draws=100).share
    0.95
    """
    outcomes = [case.draw(seed + i) for i in range(draws)]
    given = [outcome for outcome in outcomes if outcome is not None]
    share = sum(given) / len(given) if given else float("nan")
    return Coverage(case, share, withheld=draws - len(given), draws=draws)
