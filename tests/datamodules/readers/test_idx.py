import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from datamodules.errors import BadFileError, DataNotFoundError
from datamodules.readers import idx
from datamodules.readers.fashion_mnist import FashionMnist
from datamodules.readers.idx import read_idx
from datamodules.readers.mnist import Mnist
from datamodules.standins.mnist import write_idx
from tests.datamodules.fingerprints import fingerprint

LABELS = np.array([3, 0, 9, 9, 1])
PIXELS = np.random.default_rng(0).integers(0, 256, (5, 28, 28), np.uint8)


@pytest.fixture
def root(tmp_path):
    write_idx(tmp_path, "train", PIXELS, LABELS)
    write_idx(tmp_path, "t10k", PIXELS[:2], LABELS[:2])
    return tmp_path


def test_training_images_alone_by_default(root):
    reader = Mnist(root, download=False)
    listing = reader.listing()
    assert listing.labels.tolist() == LABELS.tolist()
    assert listing.classes[9] == "9"
    assert not listing.official_test.any()
    assert (reader.read(3) == PIXELS[3]).all()


def test_all_marks_the_official_test_images(root):
    reader = FashionMnist(root, part="all", download=False)
    listing = reader.listing()
    assert listing.classes[9] == "ankle boot"
    assert listing.official_test.tolist() == [False] * 5 + [True] * 2
    assert (reader.read(6) == PIXELS[1]).all()


@pytest.mark.parametrize(
    "place",
    [
        "{stem}",
        "raw/{stem}",
        "MNIST/raw/{stem}.gz",
        "{dotted}",
        "{stem}/{stem}",  # Kaggle's copy: a folder of the file's own name
    ],
)
def test_files_are_found_where_people_keep_them(root, tmp_path_factory, place):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for stem in ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"):
        target = elsewhere / place.format(stem=stem, dotted=stem.replace("-idx", ".idx"))
        target.parent.mkdir(parents=True, exist_ok=True)
        content = (root / f"{stem}.gz").read_bytes()
        target.write_bytes(content if target.suffix == ".gz" else gzip.decompress(content))
    reader = Mnist(elsewhere, download=False)
    assert len(reader.listing()) == 5
    assert (reader.read(4) == PIXELS[4]).all()


def test_fashion_below_a_common_root_is_not_taken_for_mnist(root, tmp_path_factory):
    common = tmp_path_factory.mktemp("common")
    (common / "FashionMNIST").mkdir()
    root.rename(common / "FashionMNIST" / "raw")
    assert len(FashionMnist(common, download=False).listing()) == 5
    with pytest.raises(DataNotFoundError):
        Mnist(common, download=False).listing()


def test_changed_files_change_the_fingerprint(root):
    before = fingerprint(Mnist(root, download=False).listing())
    write_idx(root, "train", PIXELS[:4], LABELS[:4])
    assert fingerprint(Mnist(root, download=False).listing()) != before


def test_missing_files_say_where_and_how(tmp_path):
    with pytest.raises(DataNotFoundError) as caught:
        Mnist(tmp_path, download=False).listing()
    message = str(caught.value)
    for part in (
        str(tmp_path),
        "https://",
        "data.reader.download=true",
        "standin=true",
        "data.root",
    ):
        assert part in message


def test_without_a_network_the_failure_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(Mnist, "MIRRORS", ("http://127.0.0.1:9/",))  # nobody listens there
    with pytest.raises(DataNotFoundError, match=r"download failed.*\n.*\n.*127\.0\.0\.1:9"):
        Mnist(tmp_path).listing()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<html>404</html>", "not an IDX file"),
        (b"\0\0\x08", "not an IDX file"),
        (b"\0\0\x08\x01\0\0\0\x05ab", "only 2 bytes instead of 5"),
        (b"\0\0\x08\x03\0\0\0\x05\0", "not an IDX file"),
        (b"\0\0\x08\x01\0\0\0\x02abc", "more bytes instead of 2"),
        (b"\0\0\x08\x01\xff\xff\xff\xffab", "claims 4,294,967,295 bytes"),
    ],
)
def test_broken_files_are_named(tmp_path, content, reason):
    path = tmp_path / "train-labels-idx1-ubyte"
    path.write_bytes(content)
    with pytest.raises(BadFileError, match=f"{path.name}.*{reason}"):
        read_idx(path)


def test_a_truncated_archive_is_named(root):
    path = root / "train-labels-idx1-ubyte.gz"
    path.write_bytes(path.read_bytes()[:-6])
    with pytest.raises(BadFileError, match=r"cannot be unpacked.*Delete it"):
        Mnist(root, download=False).listing()


def test_images_and_labels_that_do_not_match_are_named(root):
    (root / "train-images-idx3-ubyte.gz").unlink()
    content = bytes([0, 0, 8, 3]) + np.array([4, 28, 28], ">u4").tobytes() + PIXELS[:4].tobytes()
    (root / "train-images-idx3-ubyte").write_bytes(content)
    with pytest.raises(BadFileError, match="one image for each of 5 labels"):
        Mnist(root, download=False).read(0)


def test_labels_beyond_the_classes_are_named(root):
    write_idx(root, "train", PIXELS, LABELS + 5)
    with pytest.raises(BadFileError, match=r"no labels 0\.\.9"):
        Mnist(root, download=False).listing()


def test_mirrors_and_checksums_are_well_formed():
    for reader in (Mnist, FashionMnist):
        assert issubclass(reader, idx.IdxImages)
        assert len(reader.MIRRORS) >= 3
        assert len(set(reader.MD5.values())) == 4
        assert all(len(md5) == 32 for md5 in reader.MD5.values())


@pytest.mark.skipif(
    "PLUMBLINE_REAL_DATA" not in os.environ, reason="PLUMBLINE_REAL_DATA is not set"
)
def test_the_real_mnist_is_read():
    reader = Mnist(Path(os.environ["PLUMBLINE_REAL_DATA"]), part="all", download=False)
    listing = reader.listing()
    assert np.bincount(listing.labels[~listing.official_test]).tolist() == [
        5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949,
    ]  # fmt: skip
    assert listing.official_test.sum() == 10000
    assert np.mean([reader.read(i).mean() for i in range(60000)]) == pytest.approx(33.318, abs=0.01)
