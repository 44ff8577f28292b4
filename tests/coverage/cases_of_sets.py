"""Intervals over data sets of several domains, and of a share."""

from collections.abc import Callable

import torch
from pandas import DataFrame

from analysis.statistics.laws import fraction
from metrics.functional.correlation import correlation
from metrics.functional.mean_difference import mean_difference
from tests.coverage.case import Case
from tests.coverage.populations import clustered, held, normal


def in_domains(sets: int, runs: int, rho: float, within: bool) -> Callable[[int], bool | None]:
    """Two domains, `sets` data sets each, three standard deviations apart in both quantities."""

    def draw(seed: int) -> bool | None:
        x, y, groups = clustered(seed, 2 * sets, runs, rho)
        domain = (groups >= sets).long()
        found = correlation(x + 3 * domain, y + 3 * domain, groups=groups, domains=domain.tolist())
        r = found.within[0] if within else found.partial
        return None if r is None else held(r, rho)

    return draw


def below(sets: int, runs: int, threshold: float) -> Callable[[int], bool | None]:
    """Share of normal values below a threshold, values of one data set alike."""
    truth = float(torch.special.ndtr(torch.tensor(threshold, dtype=torch.float64)))

    def draw(seed: int) -> bool | None:
        x, _, groups = clustered(seed, sets, runs, 0.0)
        return held(fraction(DataFrame({"data": groups.tolist()}), x < threshold), truth)

    return draw


def between(first: int, second: int, ratio: float) -> Callable[[int], bool | None]:
    """Means of two domains, of which the second scatters `ratio` times as much."""

    def draw(seed: int) -> bool | None:
        x = normal(seed, first + second)
        return held(mean_difference(x[:first], ratio * x[first:]), 0.0)

    return draw


CASES_OF_SETS = [
    *(Case(f"difference of domains, {first} and {second} data sets, scatter 1 and {ratio:g}",
           "data sets", between(first, second, ratio))
      for first, second, ratio in ((4, 4, 1.0), (8, 9, 2.0), (5, 12, 3.0))),
    *(Case(f"partial r = {rho}, 2 x {sets} data sets of {runs} runs", "data sets",
           in_domains(sets, runs, rho, within=False))
      for sets, runs, rho in ((6, 1, 0.5), (6, 6, 0.5), (15, 6, 0.9))),
    *(Case(f"r = {rho} within a domain, {sets} data sets of {runs} runs", "data sets",
           in_domains(sets, runs, rho, within=True))
      for sets, runs, rho in ((4, 1, 0.5), (10, 6, 0.5), (15, 6, 0.9))),
    *(Case(f"share {share} below a bound, {sets} data sets of {runs} runs (conservative)",
           "data sets", below(sets, runs, threshold))
      for sets, runs, share, threshold in ((11, 4, 0.69, 0.5), (20, 6, 0.93, 1.5),
                                           (30, 6, 0.93, 1.5))),
]  # fmt: skip
