import nibabel
import numpy as np
import pytest

from datamodules.errors import DataNotFoundError
from datamodules.readers import brats
from datamodules.readers.brats import BraTS
from tests.datamodules.fingerprints import fingerprint


def save(path, volume):
    path.parent.mkdir(parents=True, exist_ok=True)
    nibabel.save(nibabel.Nifti1Image(volume, np.eye(4)), path)


def case(folder, name, tumour=range(20, 30), depth=50, seq="_flair.nii.gz", seg="_seg.nii.gz"):
    """A volume that is brain but for its rim, with a label 4 tumour in the given slices."""
    image = np.zeros((12, 12, depth), np.int16)
    image[1:11, 1:11] = np.arange(depth) + 100
    mask = np.zeros(image.shape, np.uint8)
    mask[4:7, 4:7, list(tumour)] = 4
    save(folder / f"{name}{seq}", image)
    if seg:
        save(folder / f"{name}{seg}", mask)


def slices(reader, label):
    listing = reader.listing()
    kept = [k for (_, k), y in zip(reader.items, listing.labels, strict=True) if y == label]
    return sorted(kept)


def test_symmetric_and_asymmetric_gap_rules(tmp_path):
    case(tmp_path / "HGG" / "Brats18_2013_2_1", "Brats18_2013_2_1")
    symmetric, asymmetric = BraTS(tmp_path), BraTS(tmp_path, gap_rule="asymmetric")
    assert slices(symmetric, 1) == list(range(20, 30))
    assert slices(symmetric, 0) == [*range(16), *range(34, 50)]
    assert slices(asymmetric, 1) == [20]
    assert slices(asymmetric, 0) == [*range(11), *range(30, 50)]
    assert slices(BraTS(tmp_path, gap=2), 0) == [*range(19), *range(31, 50)]


@pytest.mark.parametrize(
    ("name", "seq", "seg"),
    [
        ("Brats18_2013_2_1", "_flair.nii.gz", "_seg.nii.gz"),
        ("BraTS20_Training_001", "_flair.nii", "_seg.nii"),
        ("BraTS2021_00000", "_flair.nii.gz", "_seg.nii.gz"),
        ("BraTS-GLI-00000-000", "-t2f.nii.gz", "-seg.nii.gz"),
        ("BRATS18_X_1", "_FLAIR.nii.gz", "_SEG.nii.gz"),
    ],
)
def test_names_of_every_release(tmp_path, name, seq, seg):
    case(tmp_path / name, name, seq=seq, seg=seg)
    assert len(BraTS(tmp_path).listing()) == 42


def test_other_sequences_and_endings(tmp_path):
    case(tmp_path, "A", seq="_t1ce.nii.gz")
    case(tmp_path, "B", seq="_clean.nii.gz", seg="_mask.nii.gz")
    assert BraTS(tmp_path, sequence="t1ce").listing().groups[0] == "A"
    ours = BraTS(tmp_path, image_ending="_clean.nii.gz", mask_ending="_mask.nii.gz")
    assert set(ours.listing().groups) == {"B"}


def test_a_patient_scanned_twice_is_one_group(tmp_path):
    for name in ("BraTS-GLI-00005-000", "BraTS-GLI-00005-001", "BraTS-GLI-00006-000"):
        case(tmp_path / name, name, seq="-t2f.nii.gz", seg="-seg.nii.gz")
    assert set(BraTS(tmp_path).listing().groups) == {"BraTS-GLI-00005", "BraTS-GLI-00006"}


def test_kaggle_folders_named_like_their_file_and_volumes_without_mask(tmp_path):
    case(tmp_path / "A" / "A_flair.nii", "A", seq="_flair.nii", seg=None)
    case(tmp_path / "A" / "A_seg.nii", "A", seq="_seg.nii", seg=None)
    case(tmp_path / "B", "B", seg=None)
    listing = BraTS(tmp_path).listing()
    assert set(listing.groups) == {"A"}
    assert "1 volumes without a segmentation left out" in listing.notes


def test_slices_with_little_or_broken_brain_are_left_out(tmp_path):
    case(tmp_path, "A")
    image = nibabel.load(tmp_path / "A_flair.nii.gz").get_fdata().astype(np.int16)
    image[:, :, 0] = 0
    image[1:4, 1:4, 0] = 9  # 9 of 144 pixels
    image[6, :, 1] = 0  # two halves
    save(tmp_path / "A_flair.nii.gz", image)
    assert slices(BraTS(tmp_path), 0)[0] == 2
    assert slices(BraTS(tmp_path, brain_area=0.0, one_component=False), 0)[:2] == [0, 1]


def test_pixels_are_percentiles_of_the_volume(tmp_path):
    case(tmp_path, "A")
    reader = BraTS(tmp_path)
    reader.listing()
    levels = [int(reader.read(i).max()) for i in range(len(reader.items))]
    assert reader.read(0).dtype == np.uint8
    assert levels == sorted(levels)
    assert levels[-1] == 255
    assert reader.read(0)[0, 0] == 0


def test_slices_are_measured_once(tmp_path, monkeypatch):
    case(tmp_path / "data", "A")
    index = str(tmp_path / "index")
    first = BraTS(tmp_path / "data", index=index).listing()
    monkeypatch.setattr(brats, "_measure", None)
    again = BraTS(tmp_path / "data", index=index).listing()
    assert fingerprint(again) == fingerprint(first)
    np.testing.assert_array_equal(again.labels, first.labels)
    other = BraTS(tmp_path / "data", index=index, gap_rule="asymmetric").listing()
    assert fingerprint(other) != fingerprint(first)


def test_missing_data_tells_how_to_get_it(tmp_path):
    for root in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(DataNotFoundError, match=r"(?s)synapse.*standin=true"):
            BraTS(root).listing()
