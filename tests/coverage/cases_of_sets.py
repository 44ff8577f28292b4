"""Intervals over data sets of several domains, and of a share."""

from collections.abc import Callable

import torch
from pandas import DataFrame

from analysis.statistics.laws import fraction
from analysis.statistics.properties import dataset_properties
from metrics.functional.correlation import correlation
from metrics.functional.estimate import Estimate
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


NESTED = (500, 750, 1000, 1750)  # sizes of the main grid


def of_draws(count: int) -> Callable[[int], bool | None]:
    """The mean of d over draws of images, measured on nested subsets of each."""

    def draw(seed: int) -> bool | None:
        x = normal(seed, count, NESTED[-1])
        sets = [
            {"draw": str(place), "n": n, "data/d_mle": 10 + float(own[:n].mean())}
            for place, own in enumerate(x)
            for n in NESTED
        ]
        same = {"data": "a", "domain": "medical", "standin": False, "size": 32, "channels": 1}
        runs = DataFrame(sets).assign(**same, task="all", images="")
        row = dataset_properties(runs).iloc[0]
        return held(Estimate(row.d_mle, row.d_mle_low, row.d_mle_high), 10.0)

    return draw


CASES_OF_SETS = [
    *(Case(f"d over {count} draws of {len(NESTED)} nested sizes", "draws", of_draws(count))
      for count in (3, 5)),
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
