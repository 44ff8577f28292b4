"""The device itself: it refuses and allows what CUDA does, and counts transfers."""

import copy
import io
import pickle

import pytest
import torch

from tests.accelerator import device
from tests.accelerator.device import DeviceTensor
from tests.accelerator.transfers import counted

device.register()


def there(*shape: int, index: int = 0) -> torch.Tensor:
    return torch.ones(*shape, device=f"gpu:{index}")


REFUSED = {
    "a tensor of the CPU": lambda: there(2) + torch.ones(2),
    "a tensor of the other device": lambda: there(2) + there(2, index=1),
    "a number of the other device": lambda: there(2) + there(1, index=1)[0],
    "concatenation": lambda: torch.cat([there(2), torch.ones(2)]),
    "stacked numbers": lambda: torch.stack([there(2).sum(), torch.tensor(1.0)]),
    "a matrix product": lambda: torch.ones(2, 2) @ there(2),
    "a change of a CPU tensor": lambda: torch.ones(2).add_(there(2)),
    "a change of a CPU number": lambda: torch.tensor(1.0).add_(there(2).sum()),
    "indices of the device into the CPU": lambda: torch.ones(2)[there(1).long()],
    "values of the CPU": lambda: there(3).index_put_((torch.tensor([0, 1]),), torch.ones(2)),
    "a generator of the CPU": lambda: torch.rand(2, generator=torch.Generator(), device="gpu"),
    "a network of the CPU": lambda: torch.nn.Linear(2, 1)(there(1, 2)),
    "numpy": lambda: there(2).numpy(),
    "a device that is not there": lambda: there(2, index=device.DEVICES),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refuses(what):
    with pytest.raises((RuntimeError, TypeError)):
        REFUSED[what]()


def test_allows_what_cuda_allows():
    x = there(3)
    assert (x + torch.tensor(1.0)).device == x.device  # numbers of the CPU
    assert x[torch.tensor([0, 2])].tolist() == [1, 1]  # indices of the CPU
    x[torch.tensor([0])] = 5.0
    assert torch.zeros(3).copy_(x).tolist() == [5, 1, 1]


def test_a_network_trains_on_the_device():
    torch.manual_seed(0)
    network = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3)).to("gpu:0")
    optimizer = torch.optim.Adam(network.parameters())
    network(torch.rand(5, 4, device="gpu:0")).square().sum().backward()
    before = network[0].weight.detach().clone()
    optimizer.step()
    assert not torch.equal(before, network[0].weight)
    assert all(isinstance(p, torch.nn.Parameter) for p in network.parameters())
    assert copy.deepcopy(network)[0].weight.device == torch.device("gpu:0")


def test_shapes_follow_changes_in_place():
    x = torch.arange(6.0, device="gpu:0").reshape(2, 3)
    x.t_()
    assert x.shape == (3, 2)
    assert x.tolist() == [[0, 3], [1, 4], [2, 5]]


def test_generators_are_seeded_with_torch_and_draw_on_their_own():
    torch.manual_seed(0)
    first, host = torch.rand(2, device="gpu:0"), torch.rand(2)
    assert torch.equal(first.cpu(), host)  # the same algorithm and seed, but two generators
    torch.manual_seed(0)
    assert torch.equal(torch.rand(2, device="gpu:0"), first)


def test_transfers_are_counted():
    x = there(4, 4)
    with counted() as moved:
        x.sum()
    assert not moved.to_host
    with counted() as moved:
        x.cpu()
        x.sum().item()
        x[x > 0]
        torch.ones(2).to("gpu:0")
        x.to("gpu:1")
    assert moved.to_host == [64, 1, 1]
    assert moved.to_device == [8]
    assert moved.between == [64]


def test_files_are_loaded_where_one_asks_and_messages_where_they_were():
    x = there(2, index=1)
    file = io.BytesIO()
    torch.save({"x": x}, file)
    file.seek(0)
    assert type(torch.load(file, map_location="cpu", weights_only=True)["x"]) is torch.Tensor
    received = pickle.loads(pickle.dumps(x))
    assert isinstance(received, DeviceTensor)
    assert received.device == x.device
