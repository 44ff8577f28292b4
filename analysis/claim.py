"""A claim of a paper: what it says, which runs decide it, and by what rule.

Every claim is that a statistic lies in a range, fixed beforehand. It holds where the whole 95 %
interval lies in the range, fails where the whole interval lies outside, and is undecided where the
interval covers both. A claim on several cells (networks, levels of noise) holds where it holds in
every cell, and fails where one of k cells is outside with confidence 1 - 0.05/k. A cell without an
interval (too few seeds) leaves it undecided, unless it fails in another.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from pandas import DataFrame

from analysis.statistics.over_seeds import LEAST
from metrics.functional.estimate import Estimate

Verdict = Literal["holds", "fails", "undecided", "not run"]
CONFIDENCE = 0.95
SIGN_TEST = 6  # seeds that an interval of the median takes: five agree with probability 2 / 2^5
ROUNDING = 1e-12  # values of the order of 1 that differ by less are equal

Center = Literal["mean", "median"]
SEEDS: dict[Center, int] = {"mean": LEAST, "median": SIGN_TEST}  # that an interval needs


@dataclass(frozen=True)
class Range:
    """What a claim says of its statistic: above `low` and below `high`."""

    low: float = -math.inf
    high: float = math.inf

    def __str__(self) -> str:
        if math.isinf(self.high):
            return f"above {self.low:.3g}"
        if math.isinf(self.low):
            return f"below {self.high:.3g}"
        return f"{self.low:.3g} to {self.high:.3g}"

    def covers(self, estimate: Estimate) -> bool:
        """Whether the whole interval is inside."""
        return self.low < estimate.low and estimate.high < self.high

    def excludes(self, estimate: Estimate) -> bool:
        """Whether the whole interval is outside."""
        return estimate.high <= self.low or estimate.low >= self.high

    def slack(self, estimate: Estimate) -> float:
        """How far the interval is from the nearer end of the range; negative beyond it."""
        return min(estimate.low - self.low, self.high - estimate.high)


@dataclass(frozen=True)
class Cell:
    """A statistic with its interval at any confidence, and the number of units it is over."""

    at: Callable[[float], Estimate]
    units: int
    lacking: str = "no interval"  # why there is none, where there is none

    @classmethod
    def of_seeds(cls, values: Sequence[float], center: Center = "mean") -> "Cell":
        """The mean over seeds with Student's interval; none for fewer than three seeds.

        Student's interval of values that are all equal has width 0 and claims certainty, where
        seeds that agree do not show how far another would be from them: these have no interval.

        Args:
            values: one per seed.
            center: `median` for the interval of the sign test, which assumes no law and needs six
                seeds. A claim chooses it beforehand, where its values may agree over seeds.
        """
        kept = torch.tensor(list(values), dtype=torch.float64)
        mean = float(kept.mean())
        equal = bool(((kept - mean).abs() <= ROUNDING * max(1.0, abs(mean))).all())
        needed = SEEDS[center]
        few = len(kept) < needed
        lacking = f"no interval: it needs {needed} seeds" if few else "no spread over seeds"

        def at(confidence: float) -> Estimate:
            if center == "median":
                return Estimate.of_median(kept, confidence)
            if few or equal:
                return Estimate.unknown(mean)
            return Estimate.of_mean(kept, confidence)

        return cls(at, len(kept), lacking)

    def exp(self) -> "Cell":
        """Of a mean of logarithms: the ratio."""

        def at(confidence: float) -> Estimate:
            found = self.at(confidence)
            value, low, high = (math.exp(end) for end in (found.value, found.low, found.high))
            return Estimate(value, low, high, found.confidence)

        return Cell(at, self.units, self.lacking)


@dataclass(frozen=True)
class Evidence:
    """What the runs say: the statistic in every cell, and the runs it is made from."""

    cells: Mapping[str, Cell]
    unit: str  # what the interval is over: "data set" or "seed"
    runs: DataFrame


@dataclass(frozen=True)
class Claim:
    """One claim; `decide` raises NotEnoughError where the runs do not suffice."""

    name: str
    statement: str
    source: str  # where it is in the paper
    statistic: str  # what is computed, in words
    claimed: Range
    experiment: str  # the sweep that makes its runs
    decide: Callable[[DataFrame], Evidence]
    published: str = ""  # what the paper found, if it gives a number

    @property
    def command(self) -> str:
        """What would make the runs it needs."""
        return f"python launch.py -m experiment={self.experiment}"


@dataclass(frozen=True)
class Decision:
    """The verdict, the cell that it rests on, and the statistic there."""

    verdict: Verdict
    cell: str
    estimate: Estimate
    units: int
    cells: int
    lacking: str  # why the statistic has no interval, where it has none


def decide(claimed: Range, cells: Mapping[str, Cell]) -> Decision:
    """The verdict on cells, shown by the cell nearest to the end of the range.

    >>> of = {"lenet": Cell.of_seeds([0.2, 0.3, 0.25]), "vit": Cell.of_seeds([0.1, -0.2, 0.3])}
    >>> decide(Range(low=0), of).verdict, decide(Range(low=0), {"lenet": of["lenet"]}).verdict
    ('undecided', 'holds')
    >>> decide(Range(high=0), of).cell
    'lenet'
    """
    usual = {name: cell.at(CONFIDENCE) for name, cell in cells.items()}
    known = {name: found for name, found in usual.items() if found.known}
    weakest = min(known or usual, key=lambda name: claimed.slack(usual[name]))
    verdict: Verdict = "undecided"
    if known and all(claimed.covers(found) for found in known.values()):
        if len(known) == len(usual):
            verdict = "holds"
        else:
            weakest = next(name for name in usual if name not in known)
    strict = {name: cells[name].at(1 - (1 - CONFIDENCE) / len(known)) for name in known}
    if outside := [name for name, found in strict.items() if claimed.excludes(found)]:
        verdict, weakest = "fails", min(outside, key=lambda name: claimed.slack(usual[name]))
    shown = cells[weakest]
    return Decision(verdict, weakest, usual[weakest], shown.units, len(cells), shown.lacking)
