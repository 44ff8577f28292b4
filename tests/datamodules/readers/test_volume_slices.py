import nibabel
import numpy as np
import pytest
from nibabel.orientations import axcodes2ornt, ornt_transform

from datamodules.readers.image_folder import ImageFolder

LPS = np.random.default_rng(0).integers(0, 256, (4, 5, 6), np.uint8)

GROUPS = (
    "groups are the files of 2 volumes; if a patient has several, give the patient by "
    "data.reader.group_pattern or a table"
)


def save(path, codes):
    """The same head, stored in another order."""
    path.parent.mkdir(exist_ok=True)
    image = nibabel.Nifti1Image(LPS, np.diag([-1, -1, 1, 1]))
    turn = ornt_transform(axcodes2ornt("LPS"), axcodes2ornt(codes))
    nibabel.save(image.as_reoriented(turn), path)


@pytest.mark.parametrize("codes", ["LPS", "RAS", "PSR", "SRA", "LIA"])
def test_slices_are_axial_whatever_the_order_of_the_axes(tmp_path, codes):
    save(tmp_path / "a" / "x.nii.gz", codes)
    save(tmp_path / "b" / "x.nii.gz", "LPS")
    reader = ImageFolder(tmp_path)
    listing = reader.listing()
    assert np.bincount(listing.labels).tolist() == [6, 6]
    for k in range(6):
        assert (reader.read(k) == LPS[..., k].T).all()
        assert (reader.read(6 + k) == LPS[..., k].T).all()
    if codes == "LPS":
        assert listing.notes == (GROUPS,)
        assert listing.rules == ()
    else:
        note = f"1 volume turned to LPS by the header: stored 1 {codes}"
        assert listing.notes == (note, GROUPS)
        assert listing.rules == ("volumes turned by their header",)


def test_a_volume_without_orientation_is_read_as_stored(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        nibabel.save(nibabel.Nifti1Image(LPS, None), tmp_path / name / "x.nii")
    reader = ImageFolder(tmp_path)
    listing = reader.listing()
    assert listing.notes == (
        "2 volumes without orientation in the header: slices of the third axis",
        GROUPS,
    )
    assert listing.rules == ()
    assert (reader.read(2) == LPS[..., 2].T).all()


def test_files_of_several_volumes_are_counted(tmp_path):
    save(tmp_path / "b" / "x.nii.gz", "LPS")
    (tmp_path / "a").mkdir()
    series = nibabel.Nifti1Image(np.stack([LPS, 255 - LPS], axis=3), np.diag([-1, -1, 1, 1]))
    nibabel.save(series, tmp_path / "a" / "x.nii.gz")
    reader = ImageFolder(tmp_path)
    assert reader.listing().notes == ("1 file of several volumes: only the first is read", GROUPS)
    assert (reader.read(0) == LPS[..., 0].T).all()
