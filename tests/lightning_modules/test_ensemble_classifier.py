"""Members trained side by side are what they would be alone."""

import copy

import pytest
import torch
from torch import nn

from lightning_modules.classifier import Batch, Classifier
from lightning_modules.ensemble_classifier import EnsembleClassifier
from lightning_modules.losses.cross_entropy import CrossEntropy
from lightning_modules.networks.ensemble import Ensemble
from lightning_modules.networks.lenet import LeNet
from lightning_modules.networks.mlp import MLP
from lightning_modules.networks.resnet import ResNet

X = torch.rand(6, 1, 16, 16, generator=torch.Generator().manual_seed(0))
Y = torch.arange(6) % 3


def members(make, count=3):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return [make() for _ in range(count)]


def gradients(network):
    return [parameter.grad.clone() for parameter in network.parameters()]


@pytest.mark.parametrize("make", [lambda: MLP(1, 16, 3), lambda: LeNet(1, 16, 3)])
def test_all_at_once_and_one_by_one_agree_with_their_gradients(make):
    one, all_ = Ensemble(members(make)), Ensemble(members(make))
    scores = [torch.stack([member(X) for member in one.members]), all_.all_at_once(X)]
    assert torch.equal(all_(X), scores[1])  # few images
    assert scores[0].shape == (3, 6, 3)
    assert torch.allclose(*scores, atol=1e-6)
    for said in scores:
        nn.functional.cross_entropy(said.flatten(0, 1), Y.repeat(3)).backward()
    for a, b in zip(gradients(one), gradients(all_), strict=True):
        assert torch.allclose(a, b, atol=1e-6)
        assert a.abs().sum() > 0


def test_a_checkpoint_holds_the_members_and_nothing_else():
    ensemble = Ensemble(members(lambda: MLP(1, 16, 3)))
    assert {name.split(".")[0] for name in ensemble.state_dict()} == {"members"}
    assert len(list(ensemble.parameters())) == 3 * len(list(ensemble.members[0].parameters()))


def test_dropout_differs_between_members():
    networks = [nn.Sequential(nn.Flatten(), nn.Linear(256, 3), nn.Dropout(0.5)).eval()] * 2
    with torch.random.fork_rng():
        a, b = Ensemble(networks).train()(X)
    assert not torch.equal(a, b)
    a, b = Ensemble(networks).eval()(X)
    assert torch.equal(a, b)


def test_batch_normalisation_is_kept_by_each_member():
    networks = members(lambda: ResNet(1, 32, 2), count=2)
    before = copy.deepcopy(networks)
    x = torch.rand(2, 1, 32, 32)
    Ensemble(networks).train()(x)
    for network, start in zip(networks, before, strict=True):
        start.train()(x)
        for a, b in zip(network.buffers(), start.buffers(), strict=True):
            assert torch.equal(a, b)
    with pytest.raises(ValueError, match="0 networks"):
        Ensemble([])


def classifier_options():
    return {"loss": CrossEntropy(), "optimizer": torch.optim.SGD, "schedule": lambda *_: None}


def test_loss_is_the_sum_and_the_tally_the_mean():
    networks = members(lambda: MLP(1, 16, 3))
    alone = [Classifier(copy.deepcopy(network), **classifier_options()) for network in networks]
    together = EnsembleClassifier(networks, **classifier_options())
    batch = Batch(X, Y, torch.arange(6), 1.0)
    losses = [single.training_step(batch, 0) for single in alone]
    total = together.training_step(batch, 0)
    assert float(total) == pytest.approx(float(sum(losses)), rel=1e-6)
    total.backward()
    for single, loss, network in zip(alone, losses, together.members, strict=True):
        loss.backward()
        for a, b in zip(gradients(single.network), gradients(network), strict=True):
            assert torch.allclose(a, b, atol=1e-7)
    means = [single.running.means() for single in alone]
    loss, accuracy = together.running.means()
    assert loss == pytest.approx(sum(m[0] for m in means) / 3)
    assert accuracy == pytest.approx(sum(m[1] for m in means) / 3)


def test_each_member_is_clipped_by_its_own_norm():
    together = EnsembleClassifier(members(lambda: MLP(1, 16, 3), 2), **classifier_options())
    small, large = together.members
    for network, size in ((small, 1e-3), (large, 1e3)):
        for parameter in network.parameters():
            parameter.grad = torch.full_like(parameter, size)
    before = gradients(small)
    together.configure_gradient_clipping(None, 5.0)
    assert all(torch.equal(a, b) for a, b in zip(before, gradients(small), strict=True))
    norm = torch.cat([g.flatten() for g in gradients(large)]).norm()
    assert float(norm) == pytest.approx(5.0, rel=1e-4)
    together.configure_gradient_clipping(None, None)
