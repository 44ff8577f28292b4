import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from datamodules.directions import find_direction, orthonormal, read_eigenbasis
from datamodules.errors import DataError

SHAPE = (3, 2, 2)
D = 12


def geometry():
    q, _ = torch.linalg.qr(torch.randn(D, D, generator=torch.Generator().manual_seed(1)).double())
    return torch.arange(D, 0, -1).double(), q


def test_a_number_is_an_eigenvector_from_either_end():
    _, vectors = geometry()
    assert torch.allclose(find_direction(0, "u", SHAPE, 0, geometry), vectors[:, 0])
    assert torch.allclose(find_direction(-1, "u", SHAPE, 0, geometry), vectors[:, -1])


def test_geometry_from_a_file_equals_the_callable(tmp_path):
    values, vectors = geometry()
    np.savez(tmp_path / "g.npz", eigenvalues=values.numpy(), eigenvectors=vectors.numpy())
    from_file = read_eigenbasis(str(tmp_path / "g.npz"), SHAPE)
    assert all(torch.equal(a, b) for a, b in zip(from_file, geometry(), strict=True))


def test_random_directions_differ_by_seed_and_by_name_only():
    u = find_direction("random", "u1", SHAPE, 0)
    assert torch.equal(u, find_direction("random", "u1", SHAPE, 0))
    assert not torch.allclose(u, find_direction("random", "u1", SHAPE, 1))
    assert not torch.allclose(u, find_direction("random", "u2", SHAPE, 0))


@pytest.mark.parametrize("name", ["u.npy", "u.npz"])
def test_a_file_is_read_in_channel_row_column_order(tmp_path, name):
    image = np.arange(1.0, D + 1).reshape(SHAPE)
    path = tmp_path / name
    np.save(path, image) if name.endswith("npy") else np.savez(path, direction=image)
    u = find_direction(str(path), "u", SHAPE, 0)
    assert torch.allclose(u, torch.arange(1.0, D + 1).double() / np.linalg.norm(image))


@given(st.integers(0, 2**31), st.integers(1, 5))
@settings(max_examples=30, deadline=None)
def test_orthonormal_keeps_the_first_and_the_span(seed, count):
    rows = torch.randn(count, 9, generator=torch.Generator().manual_seed(seed)).double()
    u = orthonormal(**{f"u{i}": row for i, row in enumerate(rows)})
    assert torch.allclose(u @ u.T, torch.eye(count).double(), atol=1e-10)
    assert torch.allclose(u[0], rows[0] / rows[0].norm())
    assert torch.allclose(rows @ u.T @ u, rows, atol=1e-8)


@pytest.mark.parametrize(
    ("direction", "message"),
    [
        (12, "12 eigenvectors"),
        ([0.0] * D, "length 0"),
        ([float("nan")] * D, "length nan"),
        ([1.0, 2.0], "2 numbers"),
        ("nowhere.npy", "No file"),
    ],
)
def test_a_useless_direction_is_named(direction, message):
    with pytest.raises(DataError, match=message):
        find_direction(direction, "data.law.u1", SHAPE, 0, geometry)


def test_a_number_without_geometry_says_the_ways_out():
    with pytest.raises(DataError, match=r"set `geometry`.*or the direction to `random`"):
        find_direction(0, "u", SHAPE, 0)


def test_an_image_in_row_column_channel_order_is_refused(tmp_path):
    np.save(tmp_path / "u.npy", np.ones((2, 2, 3)))
    with pytest.raises(DataError, match=r"expected \(C, H, W\)"):
        find_direction(str(tmp_path / "u.npy"), "u", SHAPE, 0)


def test_a_pickle_is_never_loaded(tmp_path):
    np.save(tmp_path / "u.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(DataError, match="not an"):
        find_direction(str(tmp_path / "u.npy"), "u", SHAPE, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda values, vectors: (values.flip(0), vectors), "descending"),
        (lambda values, vectors: (values, vectors[:-1]), "eigenvectors as columns"),
        (lambda values, vectors: (values * float("nan"), vectors), "not finite"),
    ],
)
def test_a_geometry_that_cannot_be_is_refused(change, message):
    with pytest.raises(DataError, match=message):
        read_eigenbasis(lambda: change(*geometry()), SHAPE)


def test_a_geometry_file_without_its_arrays_is_named(tmp_path):
    np.savez(tmp_path / "g.npz", values=np.ones(3))
    with pytest.raises(DataError, match=r"g.npz.*eigenvalues and eigenvectors"):
        read_eigenbasis(str(tmp_path / "g.npz"), SHAPE)
    np.save(tmp_path / "g.npy", np.ones(3))
    with pytest.raises(DataError, match=r"g.npy.*eigenvalues and eigenvectors"):
        read_eigenbasis(str(tmp_path / "g.npy"), SHAPE)


def test_dependent_directions_are_refused():
    u = torch.tensor([1.0, 2.0, 3.0])
    with pytest.raises(DataError, match="u2 lies in the span of u1"):
        orthonormal(u1=u, u2=2 * u)
