import pytest
import torch
import torch.nn.functional as F

from datamodules.augmentation import Augmentation
from datamodules.batches import Batches
from datamodules.split import Split

X = torch.rand(64, 3, 12, 12, generator=torch.Generator().manual_seed(0))
MEAN = [0.1, 0.2, 0.3]
NOTHING = {"crop": 0, "flip": False, "erase": 0.0}


def augment(seed=0, x=X, **options):
    return Augmentation(**options)(x, fill=MEAN, seed=seed)


def test_nothing_asked_for_changes_nothing():
    assert torch.equal(augment(**NOTHING), X)


def test_every_crop_is_one_of_the_padded_image_and_all_occur():
    crops = F.pad(X, (2, 2, 2, 2), mode="reflect").unfold(2, 12, 1).unfold(3, 12, 1)
    changed = augment(crop=2, flip=False, erase=0)
    same = (crops.permute(0, 2, 3, 1, 4, 5) == changed[:, None, None]).all(5).all(4).all(3)
    assert (same.sum((1, 2)) == 1).all()
    assert same.any(0).sum() > 20  # of 25, by 64 images


def test_half_of_the_images_are_mirrored():
    changed = augment(crop=0, erase=0)
    mirrored = (changed == X.flip(3)).flatten(1).all(1)
    kept = (changed == X).flatten(1).all(1)
    assert (mirrored ^ kept).all()
    assert 16 < mirrored.sum() < 48


def test_a_square_of_the_mean_colour_is_somewhere():
    changed = augment(crop=0, flip=False, erase=0.25)
    erased = (changed == torch.tensor(MEAN)[:, None, None]).all(1)  # (images, 12, 12)
    assert (erased.sum((1, 2)) == 9).all()
    assert (erased.any(1).sum(1) == 3).all()
    assert (changed == X).all(1).logical_or(erased).all()
    assert erased.any(0).any(0).all()  # in every column and row, the outermost too
    assert erased.any(0).any(1).all()


def test_noise_has_its_standard_deviation_and_is_not_clipped():
    changed = augment(**NOTHING | {"noise": 0.125})
    assert (changed - X).std().item() == pytest.approx(0.125, rel=0.02)
    assert changed.min() < 0
    assert changed.max() > 1


def test_same_on_batch_is_one_draw_for_all_but_for_the_noise():
    twins = X[:1].expand(64, -1, -1, -1)
    changed = augment(x=twins, same_on_batch=True)
    assert (changed == changed[:1]).all()
    assert not (augment(x=twins) == changed[:1]).all()
    assert augment(x=twins, same_on_batch=True, noise=0.1).std(0).min() > 0


def test_the_seed_decides():
    assert torch.equal(augment(seed=1), augment(seed=1))
    assert not torch.equal(augment(seed=1), augment(seed=2))


@pytest.mark.parametrize("world", [1, 2, 3])
def test_batches_are_changed_alike_on_any_number_of_processes_and_after_a_resumption(world):
    levels = (255 * X).to(torch.uint8)
    split = Split(x=levels, y=torch.zeros(64, dtype=torch.long), source=torch.arange(64))
    change = Augmentation(crop=2, noise=0.1)
    epoch = [0]

    def batches(rank=0, world=1):
        return list(
            Batches(
                split, 20, seed=5, epoch=lambda: epoch[0], rank=rank, world=world,
                augment=lambda x, **options: change(x, fill=MEAN, **options),
            )
        )  # fmt: skip

    first = batches()
    epoch[0] = 1
    alone = batches()
    assert not torch.equal(first[0].x, alone[0].x)
    shares = [batches(rank, world) for rank in range(world)]
    for number, whole in enumerate(alone):
        by_index = {int(i): x for i, x in zip(whole.index, whole.x, strict=True)}
        for share in shares:
            for i, x in zip(share[number].index, share[number].x, strict=True):
                assert torch.equal(x, by_index[int(i)])


@pytest.mark.parametrize(
    ("options", "message"),
    [({"crop": -1}, "crop=-1"), ({"erase": 1.5}, "erase=1.5"), ({"noise": -1.0}, "noise=-1.0")],
)
def test_impossible_settings_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Augmentation(**options)


def test_too_small_images_are_refused():
    with pytest.raises(ValueError, match=r"crop=4 .* 3 x 3 px .* crop=2"):
        augment(x=X[:, :, :3, :3])
