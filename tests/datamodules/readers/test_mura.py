import numpy as np
import pytest
from PIL import Image

from datamodules.errors import BadFileError, DataNotFoundError
from datamodules.readers.mura import MURA

PATHS = [
    "MURA-v1.1/train/XR_SHOULDER/patient00011/study1_positive/image1.png",
    "MURA-v1.1/train/XR_SHOULDER/patient00011/study1_positive/image2.png",
    "MURA-v1.1/train/XR_SHOULDER/patient00012/study1_negative/image1.png",
    "MURA-v1.1/train/XR_WRIST/patient00011/study1_negative/image1.png",
]


def tree(root, listed=True):
    for k, path in enumerate(PATHS):
        pixels = np.full((4, 4), 50 * k, np.uint8)
        pixels = np.stack([pixels] * 3, -1) if k % 2 else pixels  # grey and RGB files are mixed
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(root / path)
    if listed:
        text = "\n".join([*reversed(PATHS), ""])
        (root / "MURA-v1.1" / "train_image_paths.csv").write_text(text)
    return root


def test_order_is_the_lists_and_all_images_are_gray(tmp_path):
    reader = MURA(tree(tmp_path))
    listing = reader.listing()
    assert listing.labels.tolist() == [0, 0, 1, 1]
    assert [reader.read(i).tolist() for i in range(4)] == [[[50 * k] * 4] * 4 for k in (3, 2, 1, 0)]


def test_a_patient_in_two_regions_is_one_group(tmp_path):
    groups = MURA(tree(tmp_path)).listing().groups
    assert groups.tolist() == ["patient00011", "patient00012", "patient00011", "patient00011"]


def test_one_region(tmp_path):
    assert MURA(tree(tmp_path), region="shoulder").listing().labels.tolist() == [0, 1, 1]
    with pytest.raises(DataNotFoundError, match="the region `hand`"):
        MURA(tmp_path, region="hand").listing()


@pytest.mark.parametrize("inner", ["", "MURA-v1.1"])
def test_tree_without_list_in_the_folder_itself_with_hidden_twins(tmp_path, inner):
    tree(tmp_path, listed=False)
    twin = tmp_path / PATHS[0].replace("image1", "._image1")
    twin.write_bytes(b"macOS")
    listing = MURA(tmp_path / inner).listing()
    assert len(listing) == 4
    assert not any("._" in name for name in listing.names)


def test_folder_nested_in_its_own_name(tmp_path):
    tree(tmp_path / "MURA-v1.1")
    assert len(MURA(tmp_path).listing()) == 4


def test_repeated_and_foreign_rows_are_counted(tmp_path):
    csv = tree(tmp_path) / "MURA-v1.1" / "train_image_paths.csv"
    csv.write_text("\n".join([*PATHS, PATHS[0], "a,b,c"]))
    listing = MURA(tmp_path).listing()
    assert len(listing) == 4
    assert listing.notes[0].startswith("1 repeated rows and 1 rows without an image name")
    csv.write_text("nothing\n")
    with pytest.raises(BadFileError, match=r"train_image_paths\.csv: lists no image"):
        MURA(tmp_path).listing()


def test_upper_case_files_missing_files_and_missing_set(tmp_path):
    reader = MURA(tree(tmp_path))
    reader.listing()
    (tmp_path / PATHS[0]).rename((tmp_path / PATHS[0]).with_name("IMAGE1.PNG"))
    assert reader.read(3).shape == (4, 4)
    (tmp_path / PATHS[1]).unlink()
    with pytest.raises(BadFileError, match=r"image2\.png"):
        reader.read(2)
    with pytest.raises(DataNotFoundError, match=r"stanfordmlgroup"):
        MURA(tmp_path / "nowhere").listing()
