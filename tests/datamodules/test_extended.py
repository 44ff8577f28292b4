"""Further training images from a file: labels by name or number, the test set stays real."""

from functools import partial

import numpy as np
import pytest
import torch

from datamodules.errors import DataError
from datamodules.extended import Extended
from datamodules.image_data import ImageData
from datamodules.readers.npz import Npz
from datamodules.tasks.all import All


def write(path, shade, count, x="x", y="y", test=None, labels=None):
    """Images of one shade, classes in turn."""
    content = {x: np.full((count, 4, 4), shade, np.uint8)}
    content[y] = np.arange(count) % 2 if labels is None else np.array(labels)
    if test is not None:
        content["is_test"] = np.arange(count) < test
    np.savez(path, **content)
    return path


@pytest.fixture
def files(tmp_path):
    real = write(tmp_path / "real.npz", 10, 30, test=10)
    return real, write(tmp_path / "made.npz", 200, 40, "image", "label")


def data(files, tmp_path, **options):
    real, made = files
    module = ImageData(
        name="npz", reader=partial(Npz), task=All(balanced=False), seed=0, batch_size=4,
        cache=tmp_path / "cache",
        root=str(real), size=4, channels=1, test_n=10, extra=str(made),
        **{"n": 20, "split": "official"} | options,
    ).module()  # fmt: skip
    module.setup()
    return module


def test_generated_images_train_and_real_ones_test(files, tmp_path):
    module = data(files, tmp_path, n=40, extra_only=True)
    assert (module.train.x == 200).all()
    assert (module.test.x == 10).all()
    assert module.notes == ("20 own training images left out", "40 additional images")


def test_together_they_are_one_pool_nested_in_n(files, tmp_path):
    whole = data(files, tmp_path, n=60)
    assert int((whole.train.x[:, 0, 0, 0] == 200).sum()) == 40
    part = data(files, tmp_path, n=15)
    assert torch.equal(part.train.x, whole.train.x[:15])
    with pytest.raises(DataError, match="n=61 requested"):
        data(files, tmp_path, n=61)


def test_test_images_must_be_the_data_set_s_own(files, tmp_path):
    with pytest.raises(DataError, match=r"data.split=image: set data.split=official"):
        data(files, tmp_path, split="image")
    bare = write(tmp_path / "bare.npz", 10, 30)
    with pytest.raises(DataError, match="must be the data set's own"):
        Extended(Npz(bare), Npz(files[1], x="image", y="label")).listing()


def test_labels_are_matched_by_name_or_number(files, tmp_path):
    named = write(tmp_path / "named.npz", 9, 4, labels=["cat", "dog", "dog", "cat"], test=2)
    some = write(tmp_path / "some.npz", 9, 2, labels=[1, 1])
    listing = Extended(Npz(named), Npz(some)).listing()
    assert listing.labels.tolist() == [0, 1, 1, 0, 1, 1]
    other = write(tmp_path / "other.npz", 9, 2, labels=["cow", "dog"])
    with pytest.raises(DataError, match="data.extra: no class `cow`; there are cat, dog"):
        Extended(Npz(named), Npz(other)).listing()


def test_file_order_leaves_the_official_test_set_alone(files, tmp_path):
    module = data(files, tmp_path, n=40, extra_only=True, order="file")
    assert (module.train.x == 200).all()
    assert (module.test.x == 10).all()
