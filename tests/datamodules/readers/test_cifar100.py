import pickle
import tarfile
from functools import partial

import numpy as np
import pytest

from datamodules.errors import BadFileError, DataNotFoundError
from datamodules.image_data import ImageData
from datamodules.readers.cifar100 import PYTHON, Cifar100
from datamodules.standins.cifar100 import write
from datamodules.tasks.all import All


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("cifar100")
    write(root, images=200)
    return root


def test_pickles_are_read_with_the_fine_labels(root):
    reader = Cifar100(root, part="all", download=False)
    listing = reader.listing()
    assert len(listing.classes) == 100
    assert listing.classes[7] == "object 07"
    assert (len(listing), listing.official_test.sum()) == (220, 20)
    batch = pickle.loads((root / PYTHON / "train").read_bytes(), encoding="bytes")
    assert listing.labels[:200].tolist() == batch[b"fine_labels"]
    red, green, blue = batch[b"data"][3].reshape(3, 32, 32)
    assert (reader.read(3) == np.stack([red, green, blue], -1)).all()


def test_a_folder_of_the_files_or_the_archive_will_do(root, tmp_path):
    assert len(Cifar100(root / PYTHON, download=False).listing()) == 200
    with tarfile.open(tmp_path / "cifar-100-python.tar.gz", "w:gz") as tar:
        tar.add(root / PYTHON, PYTHON)
    assert len(Cifar100(tmp_path, download=False).listing()) == 200


def test_images_as_they_come_make_a_second_set_for_dataset_noise(root, tmp_path):
    data = ImageData(
        name="cifar100", reader=partial(Cifar100, download=False), task=All(balanced=False),
        n=100, test_n=50,
        seed=0, batch_size=10, cache=tmp_path, root=str(root), size=32, channels=3,
    ).module()  # fmt: skip
    data.setup()
    assert data.train.images().shape == (100, 3, 32, 32)


def test_what_is_missing_or_wrong_is_named(root, tmp_path):
    with pytest.raises(DataNotFoundError, match=r"cifar-100-python(.|\n)*standin=true"):
        Cifar100(tmp_path / "nowhere", download=False).listing()
    (tmp_path / PYTHON).mkdir()
    for name in ("train", "meta"):
        (tmp_path / PYTHON / name).write_bytes((root / PYTHON / "meta").read_bytes())
    with pytest.raises(BadFileError, match="train: is no CIFAR batch .it has no fine_labels, data"):
        Cifar100(tmp_path, download=False).listing()
    (tmp_path / PYTHON / "train").write_bytes((root / PYTHON / "train").read_bytes())
    (tmp_path / PYTHON / "meta").unlink()
    with pytest.raises(BadFileError, match="lacks meta"):
        Cifar100(tmp_path, download=False).listing()
