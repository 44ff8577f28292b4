import importlib

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import NearestNeighbors
from torch import Tensor

from metrics.functional.neighbours import neighbours
from tests.parity import agree

# by name: the package exports the function under the same one
module = importlib.import_module("metrics.functional.neighbours")


def direct(x: Tensor, k: int, query: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Neighbours the slow way: all float64 differences."""
    x = x.flatten(1).double()
    points = x if query is None else query.flatten(1).double()
    distances = torch.stack([(x - point).square().sum(1).sqrt() for point in points])
    if query is None:
        distances.fill_diagonal_(torch.inf)
    return tuple(distances.topk(k, largest=False))


def normal(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("block", [16, 33, 100, 2048])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.uint8])
def test_equals_direct_differences_for_any_block(block, dtype):
    x = (normal(100, 3, 4, 4) * 30 + 128).to(dtype)
    distances, indices = direct(x, 5)
    found = neighbours(x, 5, block=block)
    torch.testing.assert_close(found.distances, distances, rtol=1e-12, atol=0)
    if dtype != torch.uint8:  # whole numbers have ties
        assert torch.equal(found.indices, indices)


@pytest.mark.parametrize("columns", [4097, 20_000, 110_000])
def test_long_rows_are_summed_without_loss(columns, monkeypatch):
    monkeypatch.setattr(module, "EXACT_ANYWAY", 0)  # look at the products themselves
    x = normal(24, columns)
    torch.testing.assert_close(
        neighbours(x, 3, block=16).distances, direct(x, 3)[0], rtol=1e-6, atol=0
    )


@pytest.mark.parametrize("noise", [1e-3, 1e-5, 1e-6])
def test_near_duplicates_in_clusters_larger_than_the_candidates(noise):
    centres = torch.rand(4, 300, generator=torch.Generator().manual_seed(1))
    x = centres.repeat(50, 1) + noise * normal(200, 300)
    found = neighbours(x, 5, block=64)
    distances, indices = direct(x, 5)
    torch.testing.assert_close(found.distances, distances, rtol=1e-9, atol=0)
    assert torch.equal(found.indices, indices)


def test_large_sets_refine_only_doubtful_pairs(monkeypatch):
    x = torch.cat([normal(60, 500), normal(60, 500) + 1e-4 * normal(60, 500, seed=1)])
    expected = neighbours(x, 5)
    measured = []
    original = module.exact_distances
    monkeypatch.setattr(
        module,
        "exact_distances",
        lambda a, i, b, j: measured.append(len(i)) or original(a, i, b, j),
    )
    monkeypatch.setattr(module, "EXACT_ANYWAY", 0)
    found = neighbours(x, 5)
    assert measured == [120]  # the twin of each point and nothing else
    torch.testing.assert_close(found.distances, expected.distances, rtol=1e-6, atol=0)
    assert torch.equal(found.distances[:, 0], expected.distances[:, 0])


def test_exact_duplicates_are_at_zero_and_counted():
    x = torch.cat([normal(30, 1000), normal(30, 1000)[:4]])
    found = neighbours(x, 3)
    assert found.zeros.sum() == 8
    assert (found.distances[:4, 0] == 0).all()
    assert (found.distances[4:30] > 0).all()
    assert found.distinct(2).shape == (34, 2)
    assert found.distinct(3).shape == (26, 3)  # those with a duplicate have only two left
    assert (found.distinct(2) > 0).all()


def test_query_set():
    x, query = normal(70, 12), normal(9, 12, seed=1)
    found = neighbours(x, 4, query=query, block=16)
    distances, indices = direct(x, 4, query)
    torch.testing.assert_close(found.distances, distances, rtol=1e-12, atol=0)
    assert torch.equal(found.indices, indices)
    assert (neighbours(x, 1, query=x).distances == 0).all()  # own row counts in a query


def test_outlier_and_extreme_units():
    x = normal(200, 10).double()
    expected = direct(x, 5)[0]
    for unit in (1e-120, 1e-30, 1e30, 1e120):
        found = neighbours(x * unit, 5).distances / unit
        torch.testing.assert_close(found, expected, rtol=1e-9, atol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("size", [1e8, 1e20, 1e35])
@pytest.mark.parametrize("place", [0, 3])  # row 0 is among the rows that make the centre
def test_an_outlier_does_not_hide_the_neighbours_of_the_others(size, place, dtype):
    x = normal(200, 10).to(dtype)
    x[place] = size
    torch.testing.assert_close(neighbours(x, 5).distances, direct(x, 5)[0], rtol=1e-6, atol=0)


def test_two_distant_clouds_of_near_duplicates_beyond_float64_products():
    x = 1e-9 * normal(60, 8).double()
    x[30:] += 1.0
    torch.testing.assert_close(neighbours(x, 5).distances, direct(x, 5)[0], rtol=1e-6, atol=0)


def test_does_not_change_its_input():
    x = normal(50, 20)
    before = x.clone()
    neighbours(x, 3)
    assert torch.equal(x, before)


@pytest.mark.parametrize(
    ("x", "k", "message"),
    [
        (torch.zeros(5, 2), 5, "k must be in 1..4"),
        (torch.zeros(5, 2), 0, "k=0 must be a whole number, at least 1"),
        (torch.zeros(0, 2), 1, r"shape \(0, 2\)"),
        (torch.zeros(5), 1, r"shape \(5,\)"),
        (torch.tensor([[0.0], [1.0], [torch.nan]]), 1, "first in row 2"),
        (torch.tensor([[0.0], [torch.inf], [1.0]]), 1, "first in row 1"),
        (torch.zeros(3, 1, dtype=torch.complex64), 1, "complex64"),
    ],
)
def test_bad_input_is_named(x, k, message):
    with pytest.raises(ValueError, match=message):
        neighbours(x, k)


def test_bad_query_block_and_distinct_are_named():
    with pytest.raises(ValueError, match="query has 3 features"):
        neighbours(torch.zeros(4, 2), 1, query=torch.zeros(4, 3))
    with pytest.raises(ValueError, match="block=0"):
        neighbours(torch.zeros(4, 2), 1, block=0)
    with pytest.raises(ValueError, match="k=3, but"):
        neighbours(normal(9, 2), 2).distinct(3)
    with pytest.raises(ValueError, match="18 are duplicates"):
        neighbours(torch.ones(9, 2), 2).distinct(1)


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 1000),
    scale=st.floats(1e-3, 1e3),
    shift=st.floats(-100, 100),
)
def test_scale_shift_rotation_and_permutation(seed, scale, shift):
    x = normal(40, 6, seed=seed).double()
    rotation = torch.linalg.qr(normal(6, 6, seed=seed + 1).double())[0]
    order = torch.randperm(40, generator=torch.Generator().manual_seed(seed))
    plain, moved = neighbours(x, 4), neighbours((scale * x @ rotation + shift)[order], 4)
    torch.testing.assert_close(moved.distances / scale, plain.distances[order], rtol=1e-7, atol=0)
    assert torch.equal(order[moved.indices], plain.indices[order])


@pytest.mark.parity
def test_agrees_with_sklearn():
    x = normal(400, 200)
    theirs = NearestNeighbors(n_neighbors=10, algorithm="brute").fit(x.double().numpy())
    distances, indices = theirs.kneighbors()
    found = neighbours(x, 10)
    agree(
        "neighbours",
        "sklearn.neighbors.NearestNeighbors",
        found.distances,
        distances,
        rtol=1e-7,
        why="float64 differences against a float64 product",
    )
    assert np.array_equal(found.indices.numpy(), indices)
