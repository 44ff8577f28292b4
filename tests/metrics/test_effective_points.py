import pytest
import torch

from metrics.functional.clusters import clusters_of
from metrics.functional.effective_points import effective_points, intraclass_correlation


def draw(shared: float, sets: int = 400, runs: int = 5):
    """Points of many data sets with a known share of the variance between these."""
    generator = torch.Generator().manual_seed(0)
    of_set = torch.randn(sets, generator=generator, dtype=torch.float64).repeat_interleave(runs)
    of_run = torch.randn(sets * runs, generator=generator, dtype=torch.float64)
    labels = torch.arange(sets).repeat_interleave(runs)
    return shared**0.5 * of_set + (1 - shared) ** 0.5 * of_run, clusters_of(labels, sets * runs)


@pytest.mark.parametrize("shared", [0.0, 0.3, 0.9])
def test_the_share_between_clusters_comes_back(shared):
    assert intraclass_correlation(*draw(shared)) == pytest.approx(shared, abs=0.04)


def test_effective_points_lie_between_clusters_and_points():
    x, clusters = draw(0.9)
    y, _ = draw(0.0)
    assert effective_points(x, x, clusters) == pytest.approx(2000 / (1 + 4 * 0.81), rel=0.05)
    assert effective_points(x, y, clusters) == pytest.approx(2000, rel=0.05)


def test_of_few_clusters_each_counts_once():
    x, clusters = draw(0.0, sets=7)
    assert effective_points(x, x, clusters) == 7
