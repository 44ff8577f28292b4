import torch

from datamodules.batches import Batches
from datamodules.split import Split

SPLIT = Split(
    x=torch.arange(10, dtype=torch.uint8).reshape(10, 1, 1, 1).expand(10, 1, 2, 2),
    y=torch.arange(10) % 2,
    source=torch.arange(10),
)


def positions(batches):
    return [batch.index.tolist() for batch in batches]


def test_in_order_without_a_seed():
    assert positions(Batches(SPLIT, 4)) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert len(Batches(SPLIT, 4)) == 3


def test_pixels_and_labels_belong_to_the_position():
    for batch in Batches(SPLIT, 3, seed=5):
        assert torch.equal((batch.x[:, 0, 0, 0] * 255).round().long(), batch.index)
        assert torch.equal(batch.y, batch.index % 2)
        assert batch.x.dtype == torch.float32


def test_an_epoch_is_a_function_of_seed_and_epoch():
    first, again = (positions(Batches(SPLIT, 4, seed=1, epoch=lambda: 3)) for _ in range(2))
    assert first == again != positions(Batches(SPLIT, 4, seed=1, epoch=lambda: 4))
    assert sorted(i for batch in first for i in batch) == list(range(10))


def test_processes_share_each_batch_without_repeats():
    alone = positions(Batches(SPLIT, 4, seed=1))
    shares = [positions(Batches(SPLIT, 4, seed=1, rank=rank, world=2)) for rank in (0, 1)]
    for whole, one, other in zip(alone, *shares, strict=True):
        assert sorted(one + other) == sorted(whole)
