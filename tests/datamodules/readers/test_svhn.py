import numpy as np
import pytest
from scipy.io import savemat

from datamodules.errors import BadFileError, DataNotFoundError
from datamodules.readers.svhn import Svhn

X = np.random.default_rng(0).integers(0, 256, (32, 32, 3, 6), np.uint8)
Y = np.array([1, 10, 5, 10, 9, 2], np.uint8)[:, None]


@pytest.mark.parametrize("packed", [False, True])
def test_the_label_ten_is_the_digit_zero(tmp_path, packed):
    savemat(tmp_path / "train_32x32.mat", {"X": X, "y": Y}, do_compression=packed)
    reader = Svhn(tmp_path, download=False)
    listing = reader.listing()
    assert listing.labels.tolist() == [1, 0, 5, 0, 9, 2]
    assert listing.classes[0] == "0"
    assert (reader.read(4) == X[..., 4]).all()


def test_all_marks_the_official_test_images(tmp_path):
    savemat(tmp_path / "train_32x32.mat", {"X": X, "y": Y})
    savemat(tmp_path / "test_32x32.mat", {"X": X[..., :2], "y": Y[:2]})
    reader = Svhn(tmp_path, part="all", download=False)
    assert reader.listing().official_test.tolist() == [False] * 6 + [True] * 2
    assert (reader.read(7) == X[..., 1]).all()


def test_broken_files_are_named(tmp_path):
    path = tmp_path / "train_32x32.mat"
    savemat(path, {"X": X, "y": Y}, do_compression=True)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadFileError, match=r"train_32x32\.mat"):
        Svhn(tmp_path, download=False).read(0)
    path.write_bytes(b"<html>not found</html>" * 20)
    with pytest.raises(BadFileError, match=r"not a complete \.mat file"):
        Svhn(tmp_path, download=False).listing()
    savemat(path, {"X": X})
    with pytest.raises(BadFileError, match="no variable `y`"):
        Svhn(tmp_path, download=False).listing()
    savemat(path, {"X": X.astype(float), "y": Y})
    with pytest.raises(BadFileError, match="float64"):
        Svhn(tmp_path, download=False).read(0)


def test_missing_data_says_how(tmp_path):
    with pytest.raises(DataNotFoundError, match=r"housenumbers/train_32x32\.mat"):
        Svhn(tmp_path, download=False).listing()
