"""Every interval and p value that the product prints, with a population whose truth is known."""

from collections.abc import Callable

import torch
from pandas import DataFrame

from analysis.claim import Cell
from analysis.statistics.over_seeds import ends_of, over_seeds
from metrics.functional.clopper_pearson import clopper_pearson
from metrics.functional.cluster_mean import cluster_mean
from metrics.functional.clusters import clusters_of
from metrics.functional.correlation import correlation
from metrics.functional.dip import dip_p, dip_statistic
from metrics.functional.estimate import Estimate
from metrics.functional.fit_power_law import fit_power_law
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.mle_dimension import mle_dimension, neighbours_for_interval
from metrics.functional.neighbours import neighbours
from metrics.functional.normality import normality
from metrics.functional.predict_line import predict_line
from metrics.functional.variance_ratio import variance_ratio
from metrics.functional.vuong import vuong_test
from tests.coverage.case import Case
from tests.coverage.cases_of_geometry import CASES_OF_GEOMETRY
from tests.coverage.cases_of_images import CASES_OF_IMAGES
from tests.coverage.cases_of_sets import CASES_OF_SETS
from tests.coverage.populations import DIMENSION, clustered, held, normal, points

# Medians of log K_F over 4,000 sets of 200.
SHARPNESS = {5: 2.65717, 10: 0.77981}


def dimension(name: str) -> Callable[[int], bool | None]:
    """The MLE's interval against the mean of its own values."""

    def draw(seed: int) -> bool | None:
        found = neighbours(points(name, seed), neighbours_for_interval(10, 300))
        result = mle_dimension(found, 10, seed=seed)
        return held(Estimate(result.dimension, result.low, result.high), DIMENSION[name])

    return draw


def sharpness(d: int) -> Callable[[int], bool | None]:
    """K_F of random labels against its median over new sets."""

    def draw(seed: int) -> bool | None:
        x = normal(seed, 200, d)
        found = label_sharpness(x, torch.arange(200) % 2, value_range=100.0)
        return held(found.population, SHARPNESS[d])

    return draw


def correlated(sets: int, runs: int, rho: float) -> Callable[[int], bool | None]:
    """Pooled r against the population's."""

    def draw(seed: int) -> bool | None:
        x, y, groups = clustered(seed, sets, runs, rho)
        return held(correlation(x, y, groups=groups).pooled, rho)

    return draw


def of_laws(sets: int, runs: int, test: bool) -> Callable[[int], bool | None]:
    """Two laws that scatter alike: the ratio of variances is 1."""

    def draw(seed: int) -> bool | None:
        a, b, groups = clustered(seed, sets, runs, 0.6)
        found = variance_ratio(a, b, clusters_of(groups, len(a)))
        return found.p <= 0.05 if test else held(found.ratio, 1.0)

    return draw


def level(sets: int, runs: int) -> Callable[[int], bool | None]:
    """Level of a law over data sets."""

    def draw(seed: int) -> bool | None:
        x, _, groups = clustered(seed, sets, runs, 0.0)
        return held(cluster_mean(x, clusters_of(groups, len(x))), 0.0)

    return draw


def median(values: torch.Tensor) -> Estimate:
    """What a claim shows whose values may agree over seeds."""
    return Cell.of_seeds(values.tolist(), "median").at(0.95)


def on_log_axis(seed: int) -> bool:
    """Lognormal values of deviation 0.3 and mean 1, as a logarithmic axis shows their mean."""
    values = (0.3 * normal(seed, 3) - 0.3**2 / 2).exp()
    points = over_seeds(DataFrame({"cell": 0, "value": values}), ["cell"], "value")
    (low,), (high,) = ends_of(points, scale="log")
    return bool(low <= 1 <= high)


def line(seed: int) -> bool | None:
    """One further point of a straight line."""
    x, noise = normal(seed, 2, 10)
    y = 2 * x + noise
    return held(predict_line(x[:9], y[:9], at=float(x[9])), float(y[9]))


def vuong(seed: int) -> bool:
    """Two Gaussian laws of equal scatter, 300 points each."""
    a, b = normal(seed, 2, 300)
    densities = [-(r - r.mean()).square() / (2 * r.var()) - r.var().log() / 2 for r in (a, b)]
    return vuong_test(*densities).p <= 0.05


def share(seed: int) -> bool:
    """Clopper and Pearson: never below 95 %, above it for the throws are whole numbers."""
    hits = int((torch.rand(40, generator=torch.Generator().manual_seed(seed)) < 0.3).sum())
    low, high = clopper_pearson(hits, 40)
    return low <= 0.3 <= high


def power_law(seed: int) -> bool:
    """60 values of a power law with a known threshold."""
    u = torch.rand(60, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    fit = fit_power_law((1 - u) ** (-1 / 1.5), x_min=1.0, bootstrap=99, seed=seed)
    assert fit.p is not None
    return fit.p <= 0.05


def two_modes(seed: int) -> bool:
    """Dip test of uniform values."""
    x = torch.rand(300, generator=torch.Generator().manual_seed(10_000 + seed)).double()
    return dip_p(dip_statistic(x), 300) <= 0.05


CASES = [
    Case("MLE dimension, cube of dimension 5", "new points", dimension("cube 5")),
    Case("MLE dimension, normal of dimension 10", "new points", dimension("Gauss 10")),
    Case("K_F, 200 images, d = 5", "new images", sharpness(5)),
    Case("K_F, 200 images, d = 10", "new images", sharpness(10)),
    *(Case(f"r = {rho}, {sets} data sets of {runs} runs", "data sets", correlated(sets, runs, rho))
      for sets, runs, rho in ((4, 1, 0.0), (5, 1, 0.9), (11, 1, 0.5), (11, 6, 0.5), (30, 6, 0.9))),
    *(Case(f"log R, {sets} data sets of {runs} runs", "data sets", of_laws(sets, runs, False))
      for sets, runs in ((4, 1), (11, 6), (30, 6))),
    *(Case(f"p of log R, {sets} data sets of {runs} runs", "data sets", of_laws(sets, runs, True),
           0.05) for sets, runs in ((4, 1), (11, 6), (30, 6))),
    Case("level of a law, 4 data sets of 6 runs", "data sets", level(4, 6)),
    Case("mean over 3 seeds", "seeds", lambda seed: held(Estimate.of_mean(normal(seed, 3)), 0.0)),
    Case("mean over 3 seeds, on a logarithmic axis", "seeds", on_log_axis),
    Case("median over 6 seeds (exact, so conservative)", "seeds",
         lambda seed: held(median(normal(seed, 6)), 0.0)),
    Case("median over 8 seeds, of values that are mostly equal (conservative)", "seeds",
         lambda seed: held(median((normal(seed, 8) > 0.2).double()), 0.0)),
    Case("point predicted by a line through 9", "data sets", line),
    Case("share of 40 (exact, so conservative)", "draws", share),
    Case("Vuong's p, 300 points", "points", vuong, 0.05),
    Case("Kolmogorov-Smirnov p, 50 values", "values",
         lambda seed: normality(normal(seed, 50), 200, seed).ks_p <= 0.05, 0.05),
    Case("Anderson-Darling p, 50 values", "values",
         lambda seed: normality(normal(seed, 50), 200, seed).anderson_p <= 0.05, 0.05),
    Case("power law's p, 60 values", "values", power_law, 0.05),
    Case("dip test, 300 uniform values", "values", two_modes, 0.05),
    *CASES_OF_SETS,
    *CASES_OF_IMAGES,
    *CASES_OF_GEOMETRY,
]  # fmt: skip
