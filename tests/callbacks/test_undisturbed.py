import torch
from torch import nn

from callbacks.undisturbed import undisturbed


def test_mode_buffers_gradients_and_generators_come_back():
    network = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(), nn.Linear(4, 2))
    network[2].eval()  # a mixed state must survive, not just train or eval
    network[3].bias.requires_grad_(False)
    network(torch.randn(8, 3)).sum().backward()
    flags = [m.training for m in network.modules()]
    gradients = [p.grad if p.grad is None else p.grad.clone() for p in network.parameters()]
    learning = [p.requires_grad for p in network.parameters()]
    statistics = {k: v.clone() for k, v in network[1].state_dict().items()}
    generator = torch.get_rng_state()
    with undisturbed(network):
        assert not any(m.training for m in network.modules())
        assert not any(p.requires_grad for p in network.parameters())
        network.train()
        network.requires_grad_(True)
        network(torch.randn(8, 3)).sum().backward()
    assert [m.training for m in network.modules()] == flags
    assert [p.requires_grad for p in network.parameters()] == learning
    for before, p in zip(gradients, network.parameters(), strict=True):
        assert before is p.grad if before is None else torch.equal(before, p.grad)
    assert all(torch.equal(statistics[k], v) for k, v in network[1].state_dict().items())
    assert torch.equal(generator, torch.get_rng_state())


def test_it_also_restores_after_an_error():
    network = nn.Dropout()
    try:
        with undisturbed(network):
            raise RuntimeError
    except RuntimeError:
        pass
    assert network.training
