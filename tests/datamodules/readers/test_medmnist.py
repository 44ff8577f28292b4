import numpy as np
import pytest

from datamodules.errors import BadArchiveError, DataError, DataNotFoundError
from datamodules.readers.medmnist import MedMnist, _published
from datamodules.standins.medmnist import write

FLAGS = (
    *("pathmnist", "chestmnist", "dermamnist", "octmnist", "pneumoniamnist", "retinamnist"),
    *("breastmnist", "bloodmnist", "tissuemnist", "organamnist", "organcmnist", "organsmnist"),
)


@pytest.mark.parametrize("flag", FLAGS)
def test_each_set_is_read_in_its_format(tmp_path, flag):
    write(tmp_path, flag, images=120)
    reader = MedMnist(tmp_path, flag=flag, download=False)
    listing = reader.listing()
    assert len(listing) == 144
    assert listing.official_test.tolist() == [False] * 132 + [True] * 12
    with np.load(tmp_path / f"{flag}.npz") as file:
        for i, name, k in ((3, "train", 3), (121, "val", 1), (140, "test", 8)):
            np.testing.assert_array_equal(reader.read(i), file[f"{name}_images"][k])
            if flag != "chestmnist":
                assert listing.labels[i] == file[f"{name}_labels"][k, 0]
    checksums = _published(flag).checksums
    assert list(checksums) == [28, 64, 128, 224]
    assert len(set(checksums.values())) == 4
    assert all(len(value) == 32 for value in checksums.values())


def test_chest_labels_are_findings(tmp_path):
    write(tmp_path, "chestmnist", images=200)
    listing = MedMnist(tmp_path, flag="chestmnist", download=False).listing()
    assert listing.classes == ("no finding", "finding")
    assert len(listing.findings) == 14
    any_of_them = np.stack(list(listing.findings.values())).any(axis=0)
    assert listing.labels.tolist() == any_of_them.astype(int).tolist()


def test_other_sizes_and_the_training_part(tmp_path):
    write(tmp_path, "bloodmnist", pixels=64, images=80)
    reader = MedMnist(tmp_path, flag="bloodmnist", pixels=64, part="train", download=False)
    assert len(reader.listing()) == 88
    assert reader.read(0).shape == (64, 64, 3)


def test_missing_and_foreign_files_are_named(tmp_path):
    with pytest.raises(
        DataNotFoundError, match=r"zenodo\.org/records/10519652/files/octmnist\.npz"
    ):
        MedMnist(tmp_path, flag="octmnist", download=False).listing()
    with pytest.raises(DataError, match="there are pathmnist"):
        MedMnist(tmp_path, flag="eyes")
    (tmp_path / "octmnist.npz").write_bytes(b"nothing")
    with pytest.raises(BadArchiveError, match=r"octmnist\.npz: is not a MedMNIST file"):
        MedMnist(tmp_path, flag="octmnist", download=False).listing()
    write(tmp_path, "retinamnist", images=50)
    (tmp_path / "retinamnist.npz").rename(tmp_path / "breastmnist.npz")
    with pytest.raises(BadArchiveError, match=r"train_labels of 0 to 4, beyond 0 to 1 of breast"):
        MedMnist(tmp_path, flag="breastmnist", download=False).listing()


def test_a_file_of_another_size_says_which_setting_reads_it(tmp_path):
    write(tmp_path, "bloodmnist", pixels=64, images=80)
    (tmp_path / "bloodmnist_64.npz").rename(tmp_path / "bloodmnist.npz")
    reader = MedMnist(tmp_path, flag="bloodmnist", download=False)
    reader.listing()
    expected = r"Rename it to bloodmnist_64\.npz and set data\.reader\.pixels=64\."
    with pytest.raises(BadArchiveError, match=expected):
        reader.read(0)


def test_the_file_in_place_of_its_folder_says_the_folder(tmp_path):
    write(tmp_path, "bloodmnist", images=80)
    with pytest.raises(DataError, match=rf"is a file; set data\.root={tmp_path}, the folder"):
        MedMnist(tmp_path / "bloodmnist.npz", flag="bloodmnist").listing()
