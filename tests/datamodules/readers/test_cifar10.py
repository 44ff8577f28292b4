import pickle
import tarfile

import numpy as np
import pytest

from datamodules.errors import BadFileError, DataError, DataNotFoundError
from datamodules.readers.cifar10 import BINARY, CLASSES, PYTHON, Cifar10
from datamodules.readers.cifar_batch import read_batch
from datamodules.standins.cifar10 import write


@pytest.fixture(scope="module")
def python_root(tmp_path_factory):
    root = tmp_path_factory.mktemp("python")
    write(root, images=50)
    return root


def as_binary(python_root, root):
    """The same images as the binary version has them, written here independently of the reader."""
    (root / BINARY).mkdir()
    for path in (python_root / PYTHON).glob("*_batch*"):
        batch = pickle.loads(path.read_bytes(), encoding="bytes")
        records = np.column_stack([np.array(batch[b"labels"], np.uint8), batch[b"data"]])
        (root / BINARY / f"{path.name}.bin").write_bytes(records.tobytes())


def test_pickles_are_read(python_root):
    reader = Cifar10(python_root, download=False)
    listing = reader.listing()
    assert listing.classes == CLASSES
    assert np.bincount(listing.labels).tolist() == [5] * 10
    batch = pickle.loads((python_root / PYTHON / "data_batch_2").read_bytes(), encoding="bytes")
    red, green, blue = batch[b"data"][3].reshape(3, 32, 32)
    image = reader.read(13)
    assert image.shape == (32, 32, 3)
    assert (image == np.stack([red, green, blue], -1)).all()


def test_the_published_pickles_come_from_python_2(python_root):
    content = (python_root / PYTHON / "data_batch_1").read_bytes()
    assert content[:2] == b"\x80\x02"
    assert b"_codecs" not in content  # what Python 3 writes for bytes in protocol 2


def test_the_binary_version_gives_the_same_images(python_root, tmp_path):
    as_binary(python_root, tmp_path)
    one, other = (Cifar10(root, part="all", download=False) for root in (python_root, tmp_path))
    assert (one.listing().labels == other.listing().labels).all()
    assert one.listing().official_test.sum() == other.listing().official_test.sum() == 5
    assert all((one.read(i) == other.read(i)).all() for i in range(55))


def test_the_archive_is_unpacked(python_root, tmp_path):
    with tarfile.open(tmp_path / "cifar-10-python.tar.gz", "w:gz") as tar:
        tar.add(python_root / PYTHON, PYTHON)
    assert len(Cifar10(tmp_path, download=False).listing()) == 50


class Harmful:
    def __reduce__(self):
        return (print, ("code in a pickle has run",))


def test_a_pickle_with_code_is_refused_and_not_run(tmp_path, capsys):
    (tmp_path / PYTHON).mkdir()
    for k in range(1, 6):
        content = {b"labels": [0], b"data": Harmful()}
        (tmp_path / PYTHON / f"data_batch_{k}").write_bytes(pickle.dumps(content))
    with pytest.raises(BadFileError, match=r"builtins\.print, which no CIFAR file needs"):
        Cifar10(tmp_path, download=False).listing()
    assert capsys.readouterr().out == ""


def test_broken_batches_are_named(python_root, tmp_path):
    as_binary(python_root, tmp_path)
    path = tmp_path / BINARY / "data_batch_3.bin"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(BadFileError, match=r"data_batch_3\.bin.*multiple of 3073"):
        Cifar10(tmp_path, download=False).listing()
    path.unlink()
    with pytest.raises(BadFileError, match=r"lacks data_batch_3\.bin"):
        Cifar10(tmp_path, download=False).listing()


def test_a_truncated_pickle_is_named(python_root, tmp_path):
    (tmp_path / PYTHON).mkdir()
    for path in (python_root / PYTHON).iterdir():
        (tmp_path / PYTHON / path.name).write_bytes(path.read_bytes()[:5000])
    with pytest.raises(BadFileError, match="data_batch_1: is no CIFAR batch"):
        Cifar10(tmp_path, download=False).listing()


def test_missing_data_says_how(tmp_path):
    with pytest.raises(DataNotFoundError, match=r"cifar-10-batches-py(.|\n)*standin=true"):
        Cifar10(tmp_path / "nowhere", download=False).listing()


@pytest.mark.parametrize(
    "content",
    [
        [[b"labels"], b"data"],
        {b"labels": [[1], [2, 3]], b"data": np.zeros((2, 3072), np.uint8)},
        {b"labels": 1, b"data": np.zeros((1, 3072), np.uint8)},
        {b"labels": [1], b"data": b"pixels"},
        {b"labels": [1000], b"data": np.zeros((1, 3072), np.uint8)},
    ],
)
def test_a_pickle_of_something_else_is_told(tmp_path, content):
    path = tmp_path / "data_batch_1"
    path.write_bytes(pickle.dumps(content, protocol=2))
    with pytest.raises(DataError, match="data_batch_1"):
        read_batch(path, b"labels", 10)
