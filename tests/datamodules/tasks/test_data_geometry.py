import torch

from datamodules.tasks.function import data_geometry
from tests.datamodules.laws.geometries import decaying
from tests.datamodules.tasks.listings import noise_images

SHAPE = (3, 2, 2)  # D = 12


def dense(values, vectors, train):
    x = train.images().double()
    mean, std = x.mean((0, 2, 3), True), x.std((0, 2, 3), correction=0, keepdim=True)
    flat = ((x - mean) / std).flatten(1)
    g = vectors @ values.diag() @ vectors.T
    return g @ (flat.T @ flat / len(flat)) @ g


def test_it_is_the_eigendecomposition_of_gsg():
    train = noise_images(300, shape=SHAPE)
    values, vectors = decaying(12)
    theta, u = data_geometry(values, vectors, train)
    expected = dense(values, vectors, train)
    assert torch.allclose(u @ theta.diag() @ u.T, expected, atol=1e-10)
    assert torch.allclose(u.T @ u, torch.eye(12).double(), atol=1e-10)
    assert (theta.diff() <= 0).all()


def test_few_images_or_few_eigenvectors_bound_the_rank():
    train = noise_images(5, shape=SHAPE)
    theta, u = data_geometry(*decaying(12), train)
    assert theta.shape == (5,)
    assert u.shape == (12, 5)
    theta, u = data_geometry(*decaying(12, rank=3), noise_images(300, shape=SHAPE))
    assert u.shape == (12, 3)


def test_weak_directions_are_still_resolved():
    # lambda down to 1e-9: GSG spans 1e-18, beyond what an eigenvalue solver of GSG could tell
    train = noise_images(300, shape=SHAPE)
    values, vectors = 10.0 ** -torch.linspace(0, 9, 12).double(), torch.eye(12).double()
    theta, u = data_geometry(values, vectors, train)
    assert u[-1, -1].abs() > 0.99  # white data: the eigenvectors stay nearly those of G
    assert theta[-1] > 0
