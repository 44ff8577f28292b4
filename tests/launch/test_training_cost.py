"""Operations, memory and disk space of training, counted before it starts."""

import json

import pytest
import torch
from torch import nn

from conf.blocks import HERE, choices_of, content_of
from launchers import training_cost as training_cost_module
from launchers.training_cost import StepCost, step_cost, step_cost_of, training_cost

MODELS = sorted(set(choices_of(HERE / "model")) - {"none"})


def settings(n: int, epochs: int, batch: int, **network: object) -> dict:
    return {
        "model": {"network": {"_target_": "lightning_modules.networks.mlp.MLP", **network}},
        "data": {"channels": 1, "size": 8},
        "n": n,
        "epochs": epochs,
        "batch_size": batch,
    }


def test_a_perceptron_costs_what_its_products_cost():
    cost = step_cost_of_mlp(20)
    # a multiply and an add each; backward twice, but nothing for the pixels
    assert cost.image_operations == 2 * (2 * 64 * 20 + 3 * 20 * 10)
    assert cost.step_operations == 0
    assert cost.parameters == 64 * 20 + 20 + 20 * 10 + 10


def step_cost_of_mlp(width: int) -> StepCost:
    node = {"_target_": "lightning_modules.networks.mlp.MLP", "widths": [width]}
    found = step_cost(json.dumps(node), 1, 8)
    assert found is not None
    return found


def test_resnet_18_has_the_published_count():
    found = step_cost(json.dumps(content_of("model/resnet18")["network"]), 3, 224)
    assert found is not None
    # 1.81 GMAC forward (torchvision's table, 1000 classes); backward twice, but for the first layer
    assert found.image_operations / 6 == pytest.approx(1.81e9, rel=0.03)


def test_runs_add_up():
    one = training_cost([settings(100, 5, 10, widths=[20])])
    three = training_cost([settings(100, 5, 10, widths=[20])] * 3)
    assert one is not None
    assert three is not None
    assert three.operations == {"32-true": pytest.approx(3 * one.operations["32-true"])}
    assert one.operations["32-true"] == 500 * step_cost_of_mlp(20).image_operations
    assert three.peak_bytes == one.peak_bytes
    assert three.disk_bytes == pytest.approx(3 * one.disk_bytes)


def test_memory_is_what_autograd_keeps():
    cost, kept = step_cost_of_mlp(20), []
    network = nn.Sequential(nn.Flatten(), nn.Linear(64, 20), nn.ReLU(), nn.Linear(20, 10))
    weights = {p.untyped_storage().data_ptr() for p in network.parameters()}
    with torch.autograd.graph.saved_tensors_hooks(lambda t: kept.append(t) or t, lambda t: t):
        network(torch.rand(1, 1, 8, 8))
    sizes = {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in kept}
    saved = sum(size for place, size in sizes.items() if place not in weights)
    assert cost.image_bytes == saved


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_every_network_can_be_counted(name):
    assert step_cost(json.dumps(content_of(f"model/{name}")["network"]), 3, 32) is not None


def test_counts_are_read_from_the_cache_without_torch(tmp_path, monkeypatch):
    runs = [settings(10, 1, 5, widths=[23])]
    counted = training_cost(runs, tmp_path)
    training_cost_module._cached_cost.cache_clear()  # as in another process
    monkeypatch.setattr(training_cost_module, "step_cost", None)
    assert training_cost(runs, tmp_path) == counted
    training_cost_module._cached_cost.cache_clear()
    monkeypatch.setattr(training_cost_module, "_code_of_networks", lambda: "changed")
    with pytest.raises(TypeError):
        training_cost(runs, tmp_path)


def test_what_cannot_be_counted_is_not_estimated(tmp_path):
    for _ in range(2):  # counted, then from the cache
        assert training_cost([settings(10, 1, 5, widths="none")], tmp_path) is None
        training_cost_module._cached_cost.cache_clear()
    nothing = training_cost([{**settings(10, 1, 5), "model": {"network": None}}])
    assert nothing is not None
    assert nothing.operations == {}


def test_the_best_network_takes_room_too():
    """Weights of 4 bytes in two checkpoints and in a file of its own."""
    plain = settings(10, 1, 5)
    judged = {**plain, "data": {**plain["data"], "validation": 0.2}}
    parameters = step_cost_of(plain).parameters
    assert training_cost([judged]).disk_bytes - training_cost([plain]).disk_bytes == (
        3 * 4 * parameters
    )
