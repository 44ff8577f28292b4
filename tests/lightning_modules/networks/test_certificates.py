"""Trained 1-Lipschitz networks: no attack breaks what is certified."""

import copy

import pytest
import torch
from sklearn.datasets import load_digits

from lightning_modules.losses.offset_cross_entropy import OffsetCrossEntropy
from lightning_modules.networks.aol_mlp import AOLMLP
from lightning_modules.networks.lcn import LCN
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline
from metrics.functional.certified_accuracy import certified_accuracy
from metrics.functional.margin import margins
from metrics.functional.pgd import pgd

SMALL = {"base": 4, "blocks": 3, "depth": 1}
NETWORKS = {
    "aol_mlp": lambda: AOLMLP(1, 8, 10, width=64, depth=5),
    "aol_mlp_narrow": lambda: AOLMLP(1, 8, 10, width=32, depth=3),
    "lcn_aol": lambda: LCN(1, 8, 10, **SMALL),
    "lcn_cpl": lambda: LCN(1, 8, 10, layer="cpl", **SMALL),
    "lcn_sll": lambda: LCN(1, 8, 10, layer="sll", **SMALL),
}


def digits():
    images, y = load_digits(return_X_y=True)
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(0))
    x = torch.tensor(images, dtype=torch.float32).view(-1, 1, 8, 8) / 16
    return x[order], torch.tensor(y)[order]


X, Y = digits()
TEST = slice(1500, 1600)


@pytest.fixture(scope="module", params=NETWORKS)
def trained(request):
    torch.manual_seed(0)
    mean = X[:1500].mean().item()
    network = Pipeline(Normalize("centre", mean=[mean]), NETWORKS[request.param]())
    loss = OffsetCrossEntropy(offset=2**0.5 * 36 / 255, temperature=0.25)
    optimizer = torch.optim.Adam(network.parameters(), lr=5e-3)
    for step in range(60):
        index = torch.arange(100 * step, 100 * step + 100) % 1500
        optimizer.zero_grad()
        loss(network(X[index]), Y[index]).backward()
        optimizer.step()
    return network.eval()


@pytest.mark.parametrize("radius", [36 / 255, 0.5, 1.0])
def test_no_attack_breaks_a_certificate(trained, radius):
    with torch.no_grad():
        clean = trained(X[TEST])
        attacked = trained(
            pgd(trained, X[TEST], Y[TEST], eps=radius, norm="l2", steps=15, restarts=2)
        )
    certified = margins(clean, Y[TEST]) > 2**0.5 * trained.lipschitz * radius
    robust = margins(attacked, Y[TEST]) > 0
    assert not (certified & ~robust).any()
    found = certified_accuracy(clean, Y[TEST], [0.0, radius], trained.lipschitz).accuracy
    assert found[0] >= robust.double().mean() >= found[1] == certified.double().mean()
    if radius < 0.2:
        assert certified.double().mean() > 0.3  # there is something to break


def test_scores_move_no_further_than_pixels(trained):
    x, y = X[TEST], X[1600:1700]
    with torch.no_grad():
        moved = (trained(x) - trained(y)).norm(dim=1)
    assert (moved <= (x - y).flatten(1).norm(dim=1) * (1 + 1e-6)).all()


def test_a_trained_state_certifies_the_same_elsewhere(trained):
    fresh = copy.deepcopy(trained)
    fresh.reset_parameters()
    with torch.no_grad():
        fresh(X[TEST])  # fills every memory with the bounds of other weights
        fresh.load_state_dict(trained.state_dict())
        assert torch.equal(fresh(X[TEST]), trained(X[TEST]))


def test_shifting_the_pixels_changes_no_certificate_and_scaling_them_scales_the_radius(trained):
    network = trained.network
    mean = trained.normalize.mean.flatten().tolist()
    assert trained.lipschitz == 1
    assert Pipeline(Normalize("none"), network).lipschitz == 1
    assert Pipeline(Normalize("dataset", mean, [0.25]), network).lipschitz == 4
    assert Pipeline(Normalize("image"), network).lipschitz is None
    with torch.no_grad():
        centred = Pipeline(Normalize("none"), network)(X[TEST] - trained.normalize.mean)
        torch.testing.assert_close(centred, trained(X[TEST]))


def test_a_collapsed_network_certifies_nothing(trained):
    broken = copy.deepcopy(trained)
    next(broken.parameters()).data.fill_(torch.nan)
    with torch.no_grad():
        found = certified_accuracy(broken(X[TEST]), Y[TEST], [0.0, 0.1], broken.lipschitz)
    assert found.accuracy.tolist() == [0, 0]
    assert found.undefined == 100
