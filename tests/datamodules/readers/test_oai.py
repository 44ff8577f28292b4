import numpy as np
import pandas as pd
import pytest
from PIL import Image

from datamodules.errors import BadFileError, DataNotFoundError
from datamodules.readers.knee_grades import read_grades
from datamodules.readers.oai import OAI, knee
from datamodules.standins.dicom import write_dicom

READINGS = """ID|SIDE|READPRJ|VERSION|V00XRKL|V00XRJSM|V00XRJSL
9000001|1|15|0.6|0|0|0
9000001|2|15|0.6|3|0|0
9000002|1: Right|15|0.6|2: minimal|0|0
9000002|2: Left|15|0.6|.|0|0
9000003|1|15|0.6||0|0
9000003|2|37|0.6|4|0|0
"""


def exam(root, patient, barcode="001", package="0.C.2", **tags):
    pixels = np.zeros((6, 8), np.uint16)
    pixels[:, :4], pixels[:, 4:] = 1000, 3000  # image left: the patient's right knee
    pixels[0, 0] = 0
    folder = root / "results" / "P001" / package / str(patient) / "20050101" / barcode
    tags = {"BodyPartExamined": "KNEE", "Modality": "CR", **tags}
    if tags.get("PhotometricInterpretation") == "MONOCHROME1":
        pixels = 3000 - pixels
    write_dicom(folder / "001", pixels, **tags)


def tree(root, name="kxr_sq_bu00.txt"):
    root.mkdir(exist_ok=True)
    (root / name).write_text(READINGS)
    exam(root, 9000001)
    exam(root, 9000002, package="0.E.1", PhotometricInterpretation="MONOCHROME1")
    exam(root, 9000003)
    return root


def knees(reader):
    listing = reader.listing()
    sides = (side for _, side in reader.items)
    return dict(zip(zip(listing.groups.tolist(), sides, strict=True), listing.labels, strict=True))


@pytest.mark.parametrize("name", ["kxr_sq_bu00.txt", "KXR_SQ_BU00.TXT"])
def test_graded_knees_of_both_packages(tmp_path, name):
    found = knees(OAI(tree(tmp_path, name)))
    assert found == {("9000001", "R"): 0, ("9000001", "L"): 1, ("9000002", "R"): 1}


def test_missing_grades_and_other_projects_are_left_out_and_counted(tmp_path):
    notes = OAI(tree(tmp_path)).listing().notes
    assert "2 knees without a grade left out" in notes
    assert "3 knees without a reading left out" in notes


def test_right_knee_is_on_the_left_and_monochrome1_is_inverted(tmp_path):
    reader = OAI(tree(tmp_path))
    listing = reader.listing()
    assert [n.rsplit(" ", 1)[1] for n in listing.names] == ["L", "R", "R"]
    assert reader.read(0).tolist() == [[255] * 4] * 4
    assert reader.read(1).tolist() == [[85] * 4] * 4
    assert reader.read(2).tolist() == [[85] * 4] * 4  # stored inverted, shown alike


def test_hands_mr_and_second_exams_are_left_out(tmp_path):
    root = tree(tmp_path)
    exam(root, 9000001, "002", BodyPartExamined="HAND")
    exam(root, 9000001, "003", Modality="MR")
    exam(root, 9000001, "004")
    listing = OAI(root).listing()
    assert len(listing) == 3
    assert "2 additional images of a knee left out" in listing.notes


def cropped(root, files):
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.full((4, 4), 9, np.uint8)).save(root / name)
    return root


def test_cropped_knees_take_grades_from_the_readings(tmp_path):
    root = cropped(tmp_path, ["0/9000001_R.png", "0/9000001_L.png", "1/9000002_r.PNG"])
    (root / "kxr_sq_bu00.txt").write_text(READINGS)
    reader = OAI(root)
    assert knees(reader) == {("9000001", "L"): 1, ("9000001", "R"): 0, ("9000002", "R"): 1}
    assert reader.read(0).shape == (4, 4)


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (["0/9000001_R.png", "1/9000001_L.png"], [0, 1]),  # {0,1}: the label itself
        (["0/9000001R.png", "1/9000001L.png", "4/9000002L.png"], [0, 0, 1]),  # grades
    ],
)
def test_cropped_knees_take_grades_from_folders(tmp_path, names, labels):
    listing = OAI(cropped(tmp_path, names)).listing()
    assert listing.labels.tolist() == labels
    assert listing.groups.tolist()[:2] == ["9000001", "9000001"]  # both knees are one group


def test_contradictory_readings_are_left_out(tmp_path):
    path = tmp_path / "kxr_sq_bu00.txt"
    path.write_text(READINGS + "9000001|1|15|0.8|4|0|0\n9000001|2|15|0.8|3|0|0\n")
    grades, notes = read_grades(path)
    assert grades.to_numpy().tolist() == [["9000001", "L", 3.0], ["9000002", "R", 2.0]]
    assert "2 contradictory readings left out" in notes


def test_lower_case_columns_are_read(tmp_path):
    path = tmp_path / "kxr_sq_bu00.txt"
    path.write_text(READINGS.lower())
    assert len(read_grades(path)[0]) == 3


def test_grades_from_sas(tmp_path, monkeypatch):
    table = pd.DataFrame({"ID": ["9000001"], "SIDE": [1.0], "READPRJ": [15.0], "V00XRKL": [2.0]})
    monkeypatch.setattr(pd, "read_sas", lambda *_, **__: iter([table]))
    (tmp_path / "kxr_sq_bu00.sas7bdat").touch()
    grades, _ = read_grades(tmp_path / "kxr_sq_bu00.sas7bdat")
    assert grades.to_numpy().tolist() == [["9000001", "R", 2.0]]


def test_wide_halves_are_cut_to_their_middle():
    assert knee(np.arange(20).reshape(2, 10), "L").tolist() == [[6, 7], [16, 17]]


def test_missing_things_are_named(tmp_path):
    with pytest.raises(DataNotFoundError, match="knee radiographs"):
        OAI(tmp_path).listing()
    root = tree(tmp_path)
    (root / "kxr_sq_bu00.txt").write_text("ID|SIDE|READPRJ|XRKL\n1|1|15|0\n")
    with pytest.raises(BadFileError, match="no column `V00XRKL`; the nearest is `XRKL`"):
        OAI(root).listing()
    (root / "kxr_sq_bu00.txt").write_text("ID|SIDE|READPRJ|V00XRKL\n1|1|15|0\n")
    with pytest.raises(BadFileError, match="no grade of any knee"):
        OAI(root).listing()
    (root / "kxr_sq_bu00.txt").unlink()
    with pytest.raises(DataNotFoundError, match=r"kxr_sq_bu00\.txt"):
        OAI(root).listing()
