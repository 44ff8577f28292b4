import torch

from metrics.functional.clusters import clusters_of


def test_clusters_keep_their_names_in_a_subset():
    clusters = clusters_of(["x", "y", "x", "z"], 4)
    part = clusters.subset(torch.tensor([False, True, True, False]))
    assert part.names == ["y", "x"]
    assert clusters.sums(torch.tensor([1.0, 2.0, 4.0, 8.0])).tolist() == [5.0, 2.0, 8.0]
    assert clusters.means(torch.tensor([1.0, 2.0, 4.0, 8.0])).tolist() == [2.5, 2.0, 8.0]
