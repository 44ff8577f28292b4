import pytest
import torch

from datamodules.architecture_geometry import ArchitectureGeometry
from metrics.functional.geometry import Geometry

LENET = {"_target_": "lightning_modules.networks.lenet.LeNet", "activation": "relu"}


def geometry_of(network=LENET, **options):
    return ArchitectureGeometry({"network": network}, 1, 16, models=64, **options)


def test_eigenvectors_are_orthonormal_descending_and_share_the_symmetries_of_the_law():
    values, vectors = geometry_of()()
    assert values.shape == (256,)
    assert (values.diff() <= 1e-9 * values[0]).all()
    assert torch.allclose(vectors.T @ vectors, torch.eye(256).double(), atol=1e-9)
    g = (vectors * values) @ vectors.T
    mirrored = g.reshape(16, 16, 16, 16).flip(1).flip(3).reshape(256, 256)
    assert torch.allclose(g, mirrored, atol=1e-9 * float(values[0]))


def test_an_mlp_prefers_nothing():
    network = {"_target_": "lightning_modules.networks.mlp.MLP", "widths": [8]}
    values, _ = geometry_of(network)()
    assert torch.allclose(values, values[0].expand(256))


def test_it_is_estimated_once(tmp_path, monkeypatch):
    first, _ = geometry_of(cache=tmp_path)()
    monkeypatch.setattr(
        "metrics.functional.initial_geometry.average_geometry",
        lambda *_, **__: pytest.fail("drawn again"),
    )
    again, _ = geometry_of(cache=tmp_path)()
    assert torch.equal(first, again)


def test_it_is_drawn_with_gelu_unless_the_network_is_to_keep_its_own(monkeypatch):
    seen = []

    def keep(network, *_, **__):
        seen.append(str(network))
        return Geometry((1, 16, 16), matrix=torch.eye(256).double())

    monkeypatch.setattr("datamodules.architecture_geometry.initial_geometry", keep)
    geometry_of()()
    geometry_of(activation="own")()
    assert "GELU" in seen[0]
    assert "GELU" not in seen[1]


def test_no_network_no_geometry():
    with pytest.raises(ValueError, match="model=none has none"):
        ArchitectureGeometry({"network": None}, 1, 16)()
