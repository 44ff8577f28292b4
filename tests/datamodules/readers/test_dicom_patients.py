import numpy as np
import pytest
from PIL import Image

from datamodules.readers.image_folder import ImageFolder
from datamodules.standins.dicom import write_dicom

PIXELS = np.zeros((4, 4), np.uint8)


def write(root, patients):
    for i, patient in enumerate(patients):
        tags = {"PatientID": patient} if patient else {}
        write_dicom(root / "ab"[i % 2] / f"{i}.dcm", PIXELS, **tags)


def listed(root, **options):
    return ImageFolder(root, **options).listing()


def test_patients_of_dicom_files_are_groups(tmp_path):
    write(tmp_path, ["p", "p", "q", "q", "r "])
    listing = listed(tmp_path)
    assert listing.files.names == ["a/0.dcm", "a/2.dcm", "a/4.dcm", "b/1.dcm", "b/3.dcm"]
    assert listing.groups.tolist() == ["p", "q", "r", "p", "q"]
    assert listing.notes == ("groups are the PatientID of the DICOM files: 3 patients",)
    by_path = listed(tmp_path, group_pattern=r"(\d)\.dcm")
    assert by_path.groups.tolist() == ["0", "2", "4", "1", "3"]
    assert by_path.notes == ()


@pytest.mark.parametrize(
    ("patients", "note"),
    [
        (["p", "p", "p", "p"], "all DICOM files have the same PatientID"),
        (["p", "q", "p", ""], "1 of 4 DICOM files have no PatientID"),
        (["", "", "", ""], ""),
    ],
)
def test_patients_that_separate_nothing_are_no_groups(tmp_path, patients, note):
    write(tmp_path, patients)
    listing = listed(tmp_path)
    assert listing.groups is None
    assert " ".join(listing.notes).startswith(note)


def test_a_file_without_patient_among_many_is_its_own_group(tmp_path):
    write(tmp_path, [*(f"p{i // 4}" for i in range(39)), ""])
    listing = listed(tmp_path)
    assert listing.groups[-1] == "b/39.dcm" or "b/39.dcm" in listing.groups
    assert len(set(listing.groups)) == 11
    assert listing.notes[0].endswith("10 patients, and 1 file without one, each its own group")


def test_pictures_beside_dicom_files_leave_groups_unknown(tmp_path):
    write(tmp_path, ["p", "q"])
    Image.fromarray(PIXELS).save(tmp_path / "a" / "x.png")
    assert listed(tmp_path).groups is None


def test_files_of_several_frames_are_counted(tmp_path):
    write(tmp_path, ["p", "p", "q", "q"])
    write_dicom(tmp_path / "a" / "cine.dcm", PIXELS, PatientID="p", NumberOfFrames=1)
    series = ("1 file of several frames: only the first is read",)
    assert listed(tmp_path).notes == ("groups are the PatientID of the DICOM files: 2 patients",)
    write_dicom(tmp_path / "a" / "cine.dcm", PIXELS, PatientID="p", NumberOfFrames=30)
    assert listed(tmp_path).notes[1:] == series
    for file in tmp_path.glob("*/*.dcm"):
        write_dicom(file, PIXELS, NumberOfFrames=30 if file.name == "cine.dcm" else 1)
    assert listed(tmp_path).notes == series
