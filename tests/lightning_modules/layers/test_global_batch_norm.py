"""Two processes train a network with batch normalisation as one does."""

import pytest
import torch
from torch import distributed, multiprocessing, nn

from lightning_modules.layers.global_batch_norm import GlobalBatchNorm2d, over_all_processes

STEPS, RATE = 5, 0.1


def batches(size):
    generator = torch.Generator().manual_seed(0)
    for _ in range(STEPS):
        yield 3 + 2 * torch.randn(size, 2, 6, 6, generator=generator, dtype=torch.float64)


def train(size, rank=0, world=1, momentum=0.1):
    """Some steps of gradient descent on squares, as DDP would take them; returns the state."""
    torch.manual_seed(0)
    layers = (nn.Conv2d(2, 4, 3), GlobalBatchNorm2d(4, momentum=momentum), nn.ReLU())
    head = (nn.Conv2d(4, 4, 3), GlobalBatchNorm2d(4, affine=False), nn.Flatten(), nn.Linear(16, 3))
    net = nn.Sequential(*layers, *head).double()
    for x in batches(size):
        share = x[rank::world]
        net.zero_grad()
        with over_all_processes(net, len(share)):
            scores = net(share if len(share) else x[:1])  # without a share: any image, weight 0
        loss = (scores - 1).square().mean() * (len(share) * world / len(x))
        loss.backward()
        for parameter in net.parameters():
            if world > 1:
                distributed.all_reduce(parameter.grad)
            parameter.data -= RATE * parameter.grad / world
    net.eval()
    return {**net.state_dict(), "scores": net(next(batches(size))).detach()}


def in_process(rank, folder, size, momentum):
    distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2
    )
    torch.save(train(size, rank, 2, momentum), folder / f"{rank}.pt")
    distributed.destroy_process_group()


@pytest.mark.parametrize(("size", "momentum"), [(7, 0.1), (8, None), (1, 0.1)])
def test_two_processes_train_as_one(tmp_path, size, momentum):
    """Unequal shares, equal ones, and a process that has none."""
    multiprocessing.start_processes(
        in_process, (tmp_path, size, momentum), nprocs=2, start_method="fork"
    )
    one = train(size, momentum=momentum)
    for rank in range(2):
        two = torch.load(tmp_path / f"{rank}.pt", weights_only=True)
        for name, value in one.items():
            torch.testing.assert_close(two[name], value, rtol=1e-9, atol=1e-12, msg=name)


def test_on_one_process_it_is_torchs_layer():
    own, torchs = GlobalBatchNorm2d(3), nn.BatchNorm2d(3)
    x = torch.randn(4, 3, 5, 5)
    with over_all_processes(own, 4):
        assert torch.equal(own(x), torchs(x))
    assert own.state_dict().keys() == torchs.state_dict().keys()
    assert torch.equal(own.running_var, torchs.running_var)


def test_a_batch_of_one_value_per_channel_names_the_way_out():
    with pytest.raises(ValueError, match="batch_size that leaves no single image"):
        GlobalBatchNorm2d(3)(torch.zeros(1, 3, 1, 1))
    GlobalBatchNorm2d(3).eval()(torch.zeros(1, 3, 1, 1))


def alone(rank, folder):
    distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2
    )
    norm = GlobalBatchNorm2d(2)
    if rank == 0:  # a probe in train mode, in one process: nobody else to wait for
        norm(torch.randn(3, 2, 4, 4))
    with over_all_processes(norm, 1), pytest.raises(ValueError, match="batch_size"):
        norm.images = 1 - rank
        norm(torch.randn(1, 2, 1, 1))
    (folder / f"refused-{rank}").write_text(str(int(norm.num_batches_tracked)))
    distributed.destroy_process_group()


def test_outside_the_block_nobody_waits_and_a_single_value_is_told(tmp_path):
    multiprocessing.start_processes(alone, (tmp_path,), nprocs=2, start_method="fork")
    # rank 0 counted the batch it had alone, nobody the one that was refused
    assert [(tmp_path / f"refused-{rank}").read_text() for rank in (0, 1)] == ["1", "0"]


def test_a_placeholder_does_not_reach_torchs_own_layer(monkeypatch):
    counted = []

    def forward(layer, x):
        counted.append(tuple(x.shape))
        return x + layer.bias[:, None, None]

    monkeypatch.setattr(nn.SyncBatchNorm, "forward", forward)
    monkeypatch.setattr(distributed, "is_initialized", lambda: True)
    layer, x = nn.SyncBatchNorm(3).half(), torch.ones(1, 3, 4, 4, dtype=torch.half)
    for images in (1, 0):
        with over_all_processes(nn.Sequential(layer), images):
            y = layer(x)
        assert (y.shape, y.dtype) == (x.shape, x.dtype)
    assert y.requires_grad  # the backward pass has an exchange too
    assert torch.equal(y, torch.zeros_like(y))
    layer(x)
    assert counted == [(1, 3, 4, 4), (0, 3, 4, 4), (1, 3, 4, 4)]
