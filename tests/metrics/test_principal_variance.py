import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from metrics.functional.principal_variance import principal_variance
from tests.parity import agree


def drawn(points, numbers, seed=0):
    generator = torch.Generator().manual_seed(seed)
    scale = torch.linspace(3, 0.1, numbers)
    return scale * torch.randn(points, numbers, generator=generator)


@pytest.mark.parity
@pytest.mark.parametrize("shape", [(200, 12), (12, 200)])
def test_shares_agree_with_scikit_learn(shape):
    x = drawn(*shape).double()
    found = principal_variance(x)
    expected = PCA().fit(x.numpy()).explained_variance_ratio_[:11]  # 12 centred points span 11
    agree(
        "principal_variance",
        "sklearn.decomposition.PCA",
        found.shares[: len(expected)].numpy(),
        expected,
        rtol=1e-9,
        why="eigenvalues of the covariance against singular values of the images",
    )


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 40), st.integers(1, 40), st.integers(0, 99), st.floats(-100, 100))
def test_shares_sum_to_one_fall_and_ignore_a_shift(points, numbers, seed, shift):
    x = drawn(points, numbers, seed).double()
    found, moved = principal_variance(x), principal_variance(x + shift)
    assert float(found.shares.sum()) == pytest.approx(1)
    assert (found.shares.diff() <= 0).all()
    assert found.total == pytest.approx(float(x.var(0, correction=0).sum()))
    torch.testing.assert_close(found.shares, moved.shares, rtol=1e-6, atol=1e-9)


def test_ranges_add_up():
    found = principal_variance(drawn(100, 8))
    assert found.share([(0, 3), (3, 8)]) == pytest.approx(1)
    assert found.share([(0, 3)]) == pytest.approx(float(found.shares[:3].sum()))


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (torch.zeros(1, 3), "at least two"),
        (torch.ones(4, 3), "all images are equal"),
        (torch.full((4, 3), torch.nan), "NaN"),
    ],
)
def test_what_has_no_variance_is_refused(x, message):
    with pytest.raises(ValueError, match=message):
        principal_variance(x)
