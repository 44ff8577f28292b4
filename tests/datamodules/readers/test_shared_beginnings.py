import numpy as np
import pytest
from PIL import Image

from datamodules.readers.image_folder import ImageFolder


def save(root, *names):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.zeros((4, 4), np.uint8)).save(root / name)


def test_two_eyes_of_a_patient_are_noted(tmp_path):
    save(tmp_path, *(f"train/{k}_{eye}.png" for k in range(7) for eye in ("left", "right")))
    rows = "".join(f"{k}_{eye},{k % 2}\n" for k in range(7) for eye in ("left", "right"))
    (tmp_path / "labels.csv").write_text("path,label\n" + rows)
    notes = ImageFolder(tmp_path, "labels.csv").listing().notes
    assert "begin alike in 7 groups, such as `0_left.png` and `0_right.png`; if each" in notes[-1]
    pattern = notes[-1].partition("group_pattern='")[2].partition("'")[0].replace("\\$", "$")
    listing = ImageFolder(tmp_path, "labels.csv", group_pattern=pattern).listing()
    assert sorted(set(listing.groups)) == list("0123456")
    assert not any("begin alike" in note for note in listing.notes)


def test_names_without_a_number_stay_groups_of_their_own(tmp_path):
    save(tmp_path, *(f"ill/person{k // 3}_virus_{k}.png" for k in range(24)))
    save(tmp_path, *(f"well/IM-{k:04d}-1.png" for k in range(9)))
    (note,) = ImageFolder(tmp_path).listing().notes
    pattern = note.partition("group_pattern='")[2].partition("'")[0].replace("\\$", "$")
    groups = ImageFolder(tmp_path, group_pattern=pattern).listing().groups.tolist()
    assert len(set(groups)) == 8 + 9
    assert {"person7", "IM-0003-1.png"} < set(groups)


@pytest.mark.parametrize(
    "names",
    [
        [f"{c}/{c}_{k}.png" for c in ("n0208", "n0209") for k in range(9)],  # the class
        [f"{c}/scan_{k}.png" for c in "ab" for k in range(9)],  # no number
        [f"{c}/{k:04x}{c}_x.png" for c in "ab" for k in range(9)],  # each its own
    ],
)
def test_other_beginnings_are_not(tmp_path, names):
    save(tmp_path, *names)
    assert ImageFolder(tmp_path).listing().notes == ()


def test_a_note_on_folders_of_patients_goes_first(tmp_path):
    save(tmp_path, *(f"{c}/p{k}/p{k}_{i}.png" for c in "ab" for k in range(9) for i in "12"))
    (note,) = ImageFolder(tmp_path).listing().notes
    assert note.startswith("the images lie in 18 folders below the classes")
