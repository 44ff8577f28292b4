import copy
from copy import deepcopy

import numpy as np
import pytest
import torch
from torch import nn

from metrics.functional.average_geometry import average_geometry
from metrics.functional.initialisation import Initialisation


class Odd(nn.Module):
    """Parameters made in every way people make them."""

    def __init__(self):
        super().__init__()
        self.scaled = nn.Parameter(0.02 * torch.randn(3, 5))
        self.zeros = nn.Parameter(torch.zeros(4))
        self.turned = nn.Linear(6, 6)
        nn.init.orthogonal_(self.turned.weight)
        self.convolution = nn.Conv2d(3, 64, 3)
        self.convolution.weight.data.normal_(0, (2 / (9 * 64)) ** 0.5)
        self.convolution.bias.data.zero_()
        self.copied = copy.deepcopy(self.turned)
        self.norm = nn.BatchNorm2d(4)
        self.mixed = nn.Linear(4, 4)
        with torch.no_grad():
            self.mixed.weight[:2].fill_(3.0)


def truncated():
    layer = nn.Linear(50, 50)
    nn.init.trunc_normal_(layer.weight)
    return layer


def from_numpy():
    layer = nn.Linear(3, 3)
    layer.weight.data.copy_(torch.from_numpy(np.random.default_rng().normal(size=(3, 3))))
    return layer


def test_the_law_of_a_copied_network_is_replayed():
    trained = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    trained[1].register_buffer("kept", torch.tensor([1.0, 2.0]))  # nothing resets it

    def build():
        copy = deepcopy(trained)
        copy[0].reset_parameters()
        return copy

    law = Initialisation(build, seed=0)
    assert law.replayed
    with law.stream(0):
        assert law.draw()[1].kept.tolist() == [1.0, 2.0]


def test_every_recorded_law_is_drawn_again():
    law = Initialisation(Odd, seed=0)
    assert law.replayed
    first = {name: value.clone() for name, value in law.model.state_dict().items()}
    with law.stream(0):
        drawn = law.draw()
    moved = {
        name for name, value in drawn.state_dict().items() if not torch.equal(value, first[name])
    }
    assert {
        "scaled",
        "turned.weight",
        "convolution.weight",
        "copied.weight",
        "mixed.weight",
    } <= moved
    assert {"zeros", "convolution.bias", "norm.weight", "norm.running_var"} & moved == set()
    weight = drawn.turned.weight
    torch.testing.assert_close(weight @ weight.T, torch.eye(6))
    assert torch.equal(drawn.copied.weight, weight)
    assert (drawn.mixed.weight[:2] == 3).all()
    assert (drawn.mixed.weight[2:] != 3).all()
    assert float(drawn.convolution.weight.std()) == pytest.approx((2 / 576) ** 0.5, rel=0.1)


def test_what_was_overwritten_is_not_drawn():
    def build():
        layer = nn.Linear(4, 4)  # draws weight and bias
        nn.init.normal_(layer.weight, 0.0, 3.0)
        nn.init.zeros_(layer.bias)
        return layer

    names = [call[0]._schema.name for call in Initialisation(build, seed=0)._calls]
    assert names == ["aten::normal_", "aten::zero_"]


@pytest.mark.parametrize("build", [truncated, from_numpy])
def test_a_law_that_cannot_be_replayed_is_built(build):
    law = Initialisation(build, seed=0)
    assert not law.replayed
    first, second = (model.weight.clone() for model in law.draws(2))
    assert not torch.equal(first, second)


def test_draws_depend_on_seed_and_index_alone_and_leave_the_generator():
    torch.manual_seed(5)
    state = torch.get_rng_state()
    build = lambda: nn.Linear(3, 2)  # noqa: E731
    a = [model.weight.clone() for model in Initialisation(build, seed=1).draws(3)]
    law = Initialisation(build, seed=1)
    with law.stream(2):
        assert torch.equal(law.draw().weight, a[2])
    other = next(Initialisation(build, seed=2).draws(1)).weight
    assert not torch.equal(other, a[0])
    assert torch.equal(torch.get_rng_state(), state)


def test_the_deviation_of_iid_entries_is_known():
    law = Initialisation(Odd, seed=0)
    assert law.standard_deviation(law.model.convolution.weight) == pytest.approx((2 / 576) ** 0.5)
    assert law.standard_deviation(law.model.turned.bias) == pytest.approx((1 / 18) ** 0.5)
    assert law.standard_deviation(law.model.turned.weight) is None
    assert law.standard_deviation(law.model.mixed.weight) is None


def wide_orthogonal():
    net = nn.Sequential(nn.Flatten(), nn.Linear(16, 8), nn.GELU(), nn.Linear(8, 1))
    nn.init.orthogonal_(net[1].weight)  # wide: transposed in place, which must not be done again
    return net


def test_a_wide_orthogonal_layer_is_built_anew():
    law = Initialisation(wide_orthogonal, seed=0)
    assert not law.replayed
    weights = [model[1].weight.clone() for model in law.draws(2)]
    assert not torch.equal(*weights)
    for weight in weights:
        torch.testing.assert_close(weight @ weight.T, torch.eye(8))


def test_a_wide_orthogonal_layer_has_a_geometry():
    assert average_geometry(wide_orthogonal, (1, 4, 4), models=8).trace > 0


def test_heads_of_zero_are_named():
    def build():
        net = wide_orthogonal()
        nn.init.zeros_(net[-1].weight)
        return net

    with pytest.raises(ValueError, match="the geometry is 0.*whose head starts at 0"):
        average_geometry(build, (1, 4, 4), models=8)
