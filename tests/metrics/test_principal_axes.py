import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.functional.principal_axes import PrincipalAxes
from tests.parity import agree


def sample(n, d, seed=0):
    generator = torch.Generator().manual_seed(seed)
    scale = 0.8 ** torch.arange(d)
    return torch.randn(n, d, generator=generator) * scale + 3


@pytest.mark.parametrize("n", [200, 12])  # more and fewer images than dimensions
def test_axes_are_orthonormal_and_variances_those_of_the_data(n):
    x = sample(n, 20)
    axes = PrincipalAxes(x)
    assert axes.rank == min(n - 1, 20)
    v = axes.axes(torch.arange(axes.rank))
    assert torch.allclose(v @ v.T, torch.eye(axes.rank).double(), atol=1e-8)
    along = (x.double() - axes.mean) @ v.T
    assert torch.allclose(along.square().mean(0), axes.variances, rtol=1e-6)
    assert (axes.variances.diff() <= 0).all()
    total = x.double().var(0, correction=0).sum()
    assert float(axes.variances.sum()) == pytest.approx(float(total), rel=1e-10)


@given(st.integers(2, 40), st.integers(1, 40), st.data())
@settings(max_examples=30, deadline=None)
def test_projections_are_idempotent_and_complements_add_up(n, d, data):
    x = sample(n, d, seed=n).double()
    axes = PrincipalAxes(x)
    inside = data.draw(st.lists(st.integers(0, max(axes.rank - 1, 0)), unique=True).map(sorted))
    index = torch.tensor(inside[: axes.rank], dtype=torch.long)
    rest = torch.tensor([i for i in range(axes.rank) if i not in inside], dtype=torch.long)
    projected = axes.project(x, index)
    assert torch.allclose(axes.project(projected + axes.mean, index), projected, atol=1e-7)
    assert torch.allclose(projected + axes.project(x, rest) + axes.mean, x, atol=1e-6)


def test_equal_images_have_no_axes():
    assert PrincipalAxes(torch.ones(5, 3)).rank == 0


@pytest.mark.parity
@pytest.mark.parametrize("n", [200, 12])
def test_variances_agree_with_scikit_learn(n):
    from sklearn.decomposition import PCA

    x = sample(n, 20)
    axes = PrincipalAxes(x)
    theirs = PCA(axes.rank, svd_solver="full").fit(x.double().numpy())
    ours = axes.variances.numpy() * n / (n - 1)
    agree(
        "principal_axes",
        "sklearn.decomposition.PCA",
        ours,
        theirs.explained_variance_,
        1e-6,
        why="Gram matrix against SVD",
    )
    overlap = np.abs((axes.axes(torch.arange(axes.rank)).numpy() * theirs.components_).sum(1))
    assert overlap.min() > 1 - 1e-6
