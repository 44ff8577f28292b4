import pytest
import torch

from datamodules.batches import Batches
from datamodules.split import Split


def split(n=103):
    x = torch.arange(n, dtype=torch.uint8)[:, None, None, None]
    return Split(x=x, y=torch.arange(n) % 2, source=torch.arange(n))


def test_every_image_once_an_epoch_and_anew_every_epoch():
    epoch = [0]
    loader = Batches(split(), 10, seed=3, epoch=lambda: epoch[0])
    first = torch.cat([batch.index for batch in loader])
    again = torch.cat([batch.index for batch in loader])
    epoch[0] = 1
    second = torch.cat([batch.index for batch in loader])
    assert torch.equal(first, again)
    assert not torch.equal(first, second)
    assert torch.equal(second.sort().values, torch.arange(103))
    assert len(loader) == 11


def test_pixels_are_in_zero_one_and_follow_their_labels():
    for batch in Batches(split(), 10, seed=0):
        assert torch.equal((batch.x.flatten() * 255).round().long(), batch.index)
        assert torch.equal(batch.y, batch.index % 2)


@pytest.mark.parametrize("world", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [103, 101])
def test_ranks_share_the_global_batch_and_their_weights_restore_its_mean(world, n):
    alone = list(Batches(split(n), 10, seed=1))
    ranks = [list(Batches(split(n), 10, seed=1, rank=r, world=world)) for r in range(world)]
    for number, whole in enumerate(alone):
        shares = [rank[number] for rank in ranks]
        counted = torch.cat([share.index for share in shares if share.weight])
        assert torch.equal(counted.sort().values, whole.index.sort().values)
        means = [share.weight * share.x.double().mean() for share in shares]
        assert sum(means) / world == pytest.approx(whole.x.double().mean().item(), rel=1e-6)
