import pytest
import torch

from metrics.functional.cluster_bootstrap import bootstrap_weights, clusters_of


def test_weights_draw_as_many_clusters_of_each_stratum_as_there_are():
    strata = ["a", "b", "a", "a", "b", "c"]
    weights = bootstrap_weights(strata, resamples=2000, seed=0)
    for stratum, size in {"a": 3, "b": 2, "c": 1}.items():
        members = [i for i, name in enumerate(strata) if name == stratum]
        assert (weights[:, members].sum(1) == size).all()
    # With replacement: a cluster of three is left out of (2/3)^3 = 8/27 of the resamples.
    assert (weights[:, 0] == 0).double().mean() == pytest.approx(8 / 27, abs=0.04)
    assert torch.equal(weights, bootstrap_weights(strata, 2000, seed=0))
    assert not torch.equal(weights, bootstrap_weights(strata, 2000, seed=1))


def test_clusters_keep_their_names_in_a_subset():
    clusters = clusters_of(["x", "y", "x", "z"], 4)
    part = clusters.subset(torch.tensor([False, True, True, False]))
    assert part.names == ["y", "x"]
    assert clusters.sums(torch.tensor([1.0, 2.0, 4.0, 8.0])).tolist() == [5.0, 2.0, 8.0]
