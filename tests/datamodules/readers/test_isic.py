import numpy as np
import pytest
from PIL import Image

from datamodules.errors import BadFileError, DataNotFoundError
from datamodules.readers.isic import ISIC

DIAGNOSES = "MEL,NV,BCC,AK,BKL,DF,VASC,SCC,UNK"
KINDS = {"MEL": 0, "NV": 1, "BCC": 2}
IMAGES = {  # name in the csv -> (diagnosis, lesion id)
    "ISIC_0000001": ("NV", "L1"),
    "ISIC_0000002": ("NV", "L1"),
    "ISIC_0000003_downsampled": ("MEL", ""),
    "ISIC_0000004": ("BCC", ""),
}


def hot(kind):
    return ",".join("1.0" if k == KINDS[kind] else "0.0" for k in range(9))


def tree(root, folder="ISIC_2019_Training_Input", rename=lambda name: f"{name}.jpg"):
    (root / folder).mkdir(parents=True, exist_ok=True)
    truth, metadata = [f"image,{DIAGNOSES}"], ["image,age_approx,anatom_site_general,lesion_id,sex"]
    for k, (name, (kind, lesion)) in enumerate(IMAGES.items()):
        colour = np.zeros((8, 8, 3), np.uint8)
        colour[..., k % 3] = 200
        Image.fromarray(colour).save(root / folder / rename(name), quality=95)
        truth.append(f"{name},{hot(kind)}")
        metadata.append(f"{name},50.0,head/neck,{lesion},male")
    (root / "ISIC_2019_Training_GroundTruth.csv").write_text("\n".join(truth) + "\n")
    (root / "ISIC_2019_Training_Metadata.csv").write_text("\n".join(metadata) + "\n")
    return root


def test_naevus_against_the_rest_in_colour(tmp_path):
    reader = ISIC(tree(tmp_path))
    listing = reader.listing()
    assert listing.labels.tolist() == [1, 1, 0, 0]
    assert listing.classes == ("not NV", "NV")
    assert listing.findings["BCC"].tolist() == [0, 0, 0, 1]
    picture = reader.read(1)
    assert picture.shape == (8, 8, 3)
    assert picture.mean(axis=(0, 1)).argmax() == 1
    assert ISIC(tmp_path, diagnosis="MEL").listing().labels.tolist() == [0, 0, 1, 0]


def test_blank_lesions_are_groups_of_their_own(tmp_path):
    listing = ISIC(tree(tmp_path)).listing()
    assert listing.groups.tolist() == ["L1", "L1", "ISIC_0000003", "ISIC_0000004"]
    assert "2 images without a lesion id are their own groups" in listing.notes
    (tmp_path / "ISIC_2019_Training_Metadata.csv").unlink()
    assert len(set(ISIC(tmp_path).listing().groups)) == 4


@pytest.mark.parametrize(
    "rename",
    [
        lambda name: f"{name.removesuffix('_downsampled')}.jpg",
        lambda name: f"{name.removesuffix('_downsampled')}_downsampled.jpg",
        lambda name: f"{name}.JPG",
    ],
)
def test_downsampled_and_upper_case_names_match(tmp_path, rename):
    reader = ISIC(tree(tmp_path, rename=rename))
    assert len(reader.listing()) == 4
    assert reader.read(2).shape == (8, 8, 3)


def test_original_is_preferred_to_its_downsampled_copy(tmp_path):
    root = tree(tmp_path)
    twin = root / "ISIC_2019_Training_Input" / "ISIC_0000001_downsampled.jpg"
    Image.fromarray(np.zeros((2, 2, 3), np.uint8)).save(twin)
    reader = ISIC(root)
    assert len(reader.listing()) == 4
    assert reader.read(0).shape == (8, 8, 3)


def test_kaggles_twice_nested_folder(tmp_path):
    nested = "ISIC_2019_Training_Input/ISIC_2019_Training_Input"
    assert len(ISIC(tree(tmp_path, folder=nested)).listing()) == 4


def test_repeated_unclear_and_absent_rows_are_counted(tmp_path):
    csv = tree(tmp_path) / "ISIC_2019_Training_GroundTruth.csv"
    rows = [f"ISIC_0000001,{hot('NV')}", f"ISIC_0009999,{hot('NV')}"]
    lines = csv.read_text().replace(f"ISIC_0000004,{hot('BCC')}", "ISIC_0000004" + ",0.0" * 9)
    csv.write_text(lines + "\n".join(rows) + "\n")
    listing = ISIC(tmp_path).listing()
    assert len(listing) == 3
    assert listing.notes[0].startswith("1 repeated rows, 1 without a file and 1 without exactly")


def test_missing_and_foreign_files_are_named(tmp_path):
    with pytest.raises(DataNotFoundError, match="GroundTruth"):
        ISIC(tmp_path).listing()
    csv = tree(tmp_path) / "ISIC_2019_Training_GroundTruth.csv"
    csv.write_text("image,MEL,NEV\nISIC_0000001,0,1\n")
    with pytest.raises(BadFileError, match="no column `NV`; the nearest is `NEV`"):
        ISIC(tmp_path).listing()
    csv.write_text("image,NV\nISIC_7,1\n")
    with pytest.raises(BadFileError, match="names none of the 4 images"):
        ISIC(tmp_path).listing()
