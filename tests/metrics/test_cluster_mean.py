import pytest
import torch

from metrics.functional.cluster_mean import cluster_mean
from metrics.functional.clusters import clusters_of
from metrics.functional.estimate import Estimate


def test_points_of_their_own_have_students_interval():
    values = torch.tensor([1.0, 4.0, 2.0, 8.0])
    found, expected = cluster_mean(values, clusters_of(None, 4)), Estimate.of_mean(values)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_repeating_points_within_clusters_adds_nothing():
    values, labels = torch.tensor([1.0, 4.0, 2.0, 3.0]), ["a", "b", "c", "d"]
    once = cluster_mean(values, clusters_of(labels, 4))
    often = cluster_mean(values.repeat(5), clusters_of(labels * 5, 20))
    assert (often.low, often.high) == pytest.approx((once.low, once.high))


@pytest.mark.parametrize("clusters", [4, 6])
def test_over_few_clusters_the_interval_holds_the_truth_as_often_as_it_says(clusters):
    generator = torch.Generator().manual_seed(0)
    labels = clusters_of([g for g in range(clusters) for _ in range(6)], 6 * clusters)
    held = 0
    for _ in range(400):
        shared = torch.randn(clusters, generator=generator).repeat_interleave(6)
        values = shared + 0.3 * torch.randn(6 * clusters, generator=generator)
        found = cluster_mean(values, labels)
        held += found.low <= 0 <= found.high
    assert held / 400 == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize("clusters", [1, 2, 3])
def test_fewer_than_four_clusters_have_no_interval(clusters):
    labels = clusters_of([i % clusters for i in range(6)], 6)
    assert not cluster_mean(torch.arange(6.0), labels).known
