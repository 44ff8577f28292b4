import os

import numpy as np
import pytest
from PIL import Image

from datamodules.errors import BadFileError, DataError, DataNotFoundError
from datamodules.readers import imagenet
from datamodules.readers.imagenet import ImageNet
from tests.datamodules.fingerprints import fingerprint

NAMES = ("n01440764", "n01443537", "n02084071")


def grow(train, counts=(4, 3, 1)):
    for k, (name, count) in enumerate(zip(NAMES, counts, strict=True)):
        (train / name).mkdir(parents=True)
        for i in range(count):
            picture = Image.new("RGB", (8 + i, 6), (100 * k, 10 * i, 0))
            picture.save(train / name / f"{name}_{i}.JPEG", format="PNG")  # Pillow looks inside
    return train


@pytest.mark.parametrize("place", ["ILSVRC/Data/CLS-LOC/train", "train", "."])
def test_kaggle_and_plain_trees(tmp_path, place):
    grow(tmp_path / place)
    reader = ImageNet(tmp_path, minimum=2)
    listing = reader.listing()
    assert listing.classes == NAMES[:2]
    assert listing.labels.tolist() == [0] * 4 + [1] * 3
    assert listing.notes == ("1 of 3 classes have fewer than 2 images",)
    assert reader.read(6).shape == (6, 10, 3)
    assert reader.read(6)[0, 0].tolist() == [100, 20, 0]


def test_only_classes_that_are_read_are_listed(tmp_path, monkeypatch):
    grow(tmp_path / "train")
    index = str(tmp_path / "index")
    first = ImageNet(tmp_path, minimum=1, index=index).listing()
    scanned = []
    scandir = os.scandir
    monkeypatch.setattr(imagenet.os, "scandir", lambda path: scanned.append(path) or scandir(path))
    reader = ImageNet(tmp_path, minimum=1, index=index)
    assert (reader.listing().labels == first.labels).all()
    reader.read(0)
    reader.read(1)
    assert [path.name for path in scanned if path.name in NAMES] == ["n01440764"]


def test_a_new_image_is_seen_in_spite_of_kept_counts(tmp_path):
    grow(tmp_path / "train")
    index = str(tmp_path / "index")
    before = ImageNet(tmp_path, minimum=1, index=index).listing()
    Image.new("RGB", (8, 8)).save(tmp_path / "train" / NAMES[2] / "new.jpg")
    after = ImageNet(tmp_path, minimum=1, index=index).listing()
    assert len(after) == len(before) + 1
    assert fingerprint(after) != fingerprint(before)


def test_small_classes_alone_are_an_error_with_the_way_out(tmp_path):
    grow(tmp_path / "train")
    with pytest.raises(DataError, match=r"0 of 3 classes have 1250 .*largest has 4.*minimum lower"):
        ImageNet(tmp_path).listing()


def test_a_truncated_photograph_is_named(tmp_path):
    train = grow(tmp_path / "train")
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), np.uint8)
    path = train / NAMES[0] / "n01440764_0.JPEG"
    Image.fromarray(noise).save(path, format="JPEG")
    path.write_bytes(path.read_bytes()[:1500])
    reader = ImageNet(tmp_path, minimum=1)
    reader.listing()
    with pytest.raises(BadFileError, match=r"n01440764_0\.JPEG"):
        reader.read(0)


def test_missing_data_says_how(tmp_path):
    (tmp_path / "photos").mkdir()
    with pytest.raises(DataNotFoundError, match=r"image-net\.org(.|\n)*CLS-LOC"):
        ImageNet(tmp_path).listing()


def test_the_first_two_classes_alone(tmp_path):
    grow(tmp_path / "train", counts=(2, 3, 4))
    listing = ImageNet(tmp_path, minimum=1, first=2).listing()
    assert listing.classes == NAMES[:2]
    assert listing.labels.tolist() == [0] * 2 + [1] * 3
