import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.functional.alignment_score import alignment_score
from metrics.functional.generalized_directions import generalized_directions
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_correlation import (
    geometric_velocity,
    geometry_correlation,
    split_half_error,
)
from metrics.functional.geometry_spectrum import marchenko_pastur_edges
from metrics.input_geometry import InputGeometry
from tests.metrics.contract import check_contract
from tests.parity import agree

SHAPE = (2, 2, 3)
D = 12


def noise(*size, seed=0):
    return torch.randn(*size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def geometry(rows, seed=0, signed=False):
    weights = noise(rows, seed=seed + 100) if signed else None
    return Geometry.from_rows(noise(rows, *SHAPE, seed=seed), weights=weights)


FORMS = [5, 40]  # rows: factored, dense


@pytest.mark.parametrize("a", FORMS)
@pytest.mark.parametrize("b", FORMS)
@pytest.mark.parametrize("signed", [False, True])
def test_both_forms_do_the_algebra_of_the_matrix(a, b, signed):
    g, s = geometry(a, 1, signed), geometry(b, 2)
    assert (g.rows is None) == (a > D)
    G, S = g.dense(), s.dense()
    x = noise(4, D, seed=3)
    torch.testing.assert_close(g.matvec(x), x @ G)
    torch.testing.assert_close(g.sandwich(s).dense(), G @ S @ G)
    torch.testing.assert_close(Geometry.mean_of([g, s]).dense(), (G + S) / 2)
    assert g.inner(s) == pytest.approx(float((G * S).sum()))
    assert g.trace == pytest.approx(float(G.trace()))
    assert g.norm == pytest.approx(float(G.norm()))
    rebuilt = g.eigenvectors.T @ (g.eigenvalues[:, None] * g.eigenvectors)
    torch.testing.assert_close(rebuilt, G)
    torch.testing.assert_close(
        g.eigenvectors @ g.eigenvectors.T, torch.eye(len(g.eigenvalues)).double()
    )
    assert (g.eigenvalues.diff() <= 0).all()


@pytest.mark.parametrize("scale", [1e-24, 1.0, 1e24])  # of squared gradients
def test_a_matrix_in_float32_has_the_numbers_of_float64(scale):
    exact, other = geometry(40, 1), geometry(5, 2)
    single = Geometry(SHAPE, matrix=(scale * exact.dense()).float())
    assert single.norm == pytest.approx(scale * exact.norm, rel=1e-6)
    assert single.inner(exact) == pytest.approx(scale * exact.inner(exact), rel=1e-6)
    assert single.inner(other) == pytest.approx(scale * exact.inner(other), rel=1e-6)
    x = noise(4, D, seed=3)
    torch.testing.assert_close(single.energies(x) / scale, exact.energies(x), rtol=1e-6, atol=0)
    for found, expected in (
        (single.sandwich(exact), exact.sandwich(exact)),
        (other.sandwich(single), other.sandwich(exact)),
    ):
        factor = scale ** (2 if found.rows is None else 1)
        torch.testing.assert_close(found.dense() / factor, expected.dense(), rtol=1e-5, atol=1e-5)


def test_a_shared_average_pool_has_the_corrected_matrix():
    """A.10: f = w (x1 + x2, x2 + x3) / 2; the constant is 1/4, where the paper prints 1/2."""
    pools = torch.tensor([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]).double() / 2
    g = Geometry.from_rows(pools, (1, 1, 3), weights=torch.ones(2))
    expected = torch.tensor([[1, 1, 0], [1, 2, 1], [0, 1, 1]]).double() / 4
    torch.testing.assert_close(g.dense(), expected)
    torch.testing.assert_close(g.eigenvalues, torch.tensor([3.0, 1.0]).double() / 4)
    first = torch.tensor([1.0, 2.0, 1.0]).double() / math.sqrt(6)
    torch.testing.assert_close(g.eigenvectors[0].abs(), first)


def test_scores_over_an_orthonormal_basis_sum_to_the_trace():
    for rows in FORMS:
        g = geometry(rows)
        basis = torch.linalg.qr(noise(D, D, seed=9))[0]
        scores = alignment_score(basis.reshape(D, *SHAPE), g)
        assert float(scores.sum()) == pytest.approx(g.trace)
        own = alignment_score(g.eigenvectors.reshape(-1, *SHAPE), g)
        torch.testing.assert_close(own, g.eigenvalues)


@settings(max_examples=25, deadline=None)
@given(st.floats(1e-3, 1e3), st.integers(0, 1000))
def test_scale_rules(scale, seed):
    a, b = geometry(5, seed), geometry(40, seed + 1)
    scaled = Geometry.from_rows(scale * a.rows, SHAPE)
    assert geometry_correlation(scaled, b) == pytest.approx(geometry_correlation(a, b))
    assert -1e-12 <= geometric_velocity(a, b) <= 1
    assert geometric_velocity(a, scaled) == pytest.approx(0, abs=1e-9)
    x = noise(3, *SHAPE, seed=seed)
    torch.testing.assert_close(alignment_score(scale * x, b), alignment_score(x, b))


def test_orthogonal_rows_do_not_correlate():
    rows = torch.eye(D).reshape(D, *SHAPE)
    assert geometry_correlation(Geometry.from_rows(rows[:3]), Geometry.from_rows(rows[3:])) == 0


@pytest.mark.parity
@pytest.mark.parametrize("g_rows", FORMS)
@pytest.mark.parametrize("s_rows", FORMS)
def test_generalized_directions_agree_with_scipy(g_rows, s_rows):
    from scipy.linalg import eigh

    g, s = geometry(g_rows, 1), geometry(s_rows, 2)
    found = generalized_directions(g, s, regularisation=1e-2)
    right = g.dense() + 1e-2 * g.eigenvalues[0] * torch.eye(D)
    values, vectors = eigh(s.dense().numpy(), right.numpy())
    count = len(found.values)
    agree(
        "generalized_directions",
        "scipy.linalg.eigh",
        found.values,
        values[::-1][:count],
        rtol=1e-7,
        why="eigenvalues of B S B instead of a Cholesky reduction",
    )
    top = torch.as_tensor(vectors[:, ::-1].copy()).T[:count]
    torch.testing.assert_close(found.vectors.abs(), top.abs(), rtol=1e-5, atol=1e-7)
    torch.testing.assert_close(found.orthonormal @ found.orthonormal.T, torch.eye(count).double())
    assert (found.values.diff() <= 0).all()


@pytest.mark.parametrize("dense", [False, True])
def test_contract(dense):
    batches = [(noise(4, *SHAPE, seed=i).float(),) for i in range(6)]
    check_contract(lambda: InputGeometry(SHAPE, dense=dense), batches, rtol=1e-5)


def test_image_net_size_stays_a_factor():
    """D = 150,528: D x D would take 181 GB; here 8 + 8 rows."""
    shape = (3, 224, 224)
    a, s = (
        Geometry.from_rows(noise(8, *shape, seed=i).float(), weights=torch.ones(8)) for i in (0, 1)
    )
    gsg = a.sandwich(s)
    assert gsg.rows.shape == (8, 150_528)
    assert geometry_correlation(a, a) == pytest.approx(1)
    assert geometry_correlation(gsg, s) < geometry_correlation(gsg, a)
    assert generalized_directions(a, s).orthonormal.shape == (8, 150_528)
    with pytest.raises(ValueError, match="150528 x 150528 matrix takes 181 GB"):
        a.dense()


def test_split_half_error_is_the_error_of_the_mean():
    """Rows N(0, I): relative error of the mean of N outer products is sqrt((D + 1) / N)."""
    rows = noise(20_000, D)
    a, b = (Geometry.from_rows(rows[i::2], (1, 1, D)) for i in (0, 1))
    assert split_half_error(a, b) == pytest.approx(math.sqrt((D + 1) / 20_000), rel=0.25)


def test_a_sampled_identity_fills_the_marchenko_pastur_edges():
    g = Geometry.from_rows(noise(8_000, 200), (1, 10, 20))
    low, high = marchenko_pastur_edges(200, 8_000)
    assert float(g.eigenvalues[-1]) == pytest.approx(low, rel=0.05)
    assert float(g.eigenvalues[0]) == pytest.approx(high, rel=0.05)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Geometry.from_rows(torch.ones(2, 32, 32, 3)), r"looks like \(H, W, C\)"),
        (lambda: Geometry.from_rows(torch.ones(2, 4)), r"give input_shape"),
        (lambda: Geometry.from_rows(torch.ones(0, 1, 2, 2)), "of 4 numbers"),
        (lambda: Geometry.from_rows(torch.full((2, 1, 2, 2), math.nan)), "rows has NaN"),
        (lambda: Geometry((1, 2, 2)), "either factored"),
        (lambda: Geometry((1, 2, 2), matrix=torch.eye(3)), r"needs \(4, 4\)"),
        (lambda: Geometry((1, 2, 2), rows=torch.ones(2, 4)), "2 rows need as many weights"),
        (lambda: geometry(3).inner(Geometry.from_rows(torch.ones(1, 1, 3, 4))), "do not compare"),
        (
            lambda: alignment_score(torch.zeros(2, *SHAPE), geometry(3)),
            "2 of 2 images are all zero",
        ),
        (lambda: alignment_score(torch.ones(2, 1, 3, 4), geometry(3)), "points of x are"),
        (lambda: generalized_directions(geometry(3), geometry(3), 0), "regularisation=0"),
        (
            lambda: geometry_correlation(geometry(3), Geometry.from_rows(torch.zeros(1, *SHAPE))),
            "the geometry is 0",
        ),
        (lambda: InputGeometry((1, 2, 2)).update(torch.ones(1, 1, 2, 3)), r"expected \(1, 2, 2\)"),
        (lambda: marchenko_pastur_edges(0, 1), "must be 1 or more"),
    ],
)
def test_traps(call, message):
    with pytest.raises(ValueError, match=message):
        call()
