import numpy as np
import pytest
from PIL import Image

from datamodules.errors import DataError
from datamodules.readers.image_folder import ImageFolder
from datamodules.standins.dicom import write_dicom


def save(root, *names):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.zeros((4, 4), np.uint8)).save(root / name)


def test_train_and_test_are_no_classes(tmp_path):
    save(tmp_path, "train/cat/1.png", "train/dog/deep/1.png", "val/dog/2.png", "Test/cat/3.png")
    listing = ImageFolder(tmp_path).listing()
    assert listing.classes == ("cat", "dog")
    assert [name[len(str(tmp_path)) + 1 :] for name in listing.names] == [
        "Test/cat/3.png", "train/cat/1.png", "train/dog/deep/1.png", "val/dog/2.png",
    ]  # fmt: skip
    assert listing.labels.tolist() == [0, 0, 1, 1]
    assert listing.official_test.tolist() == [True, False, False, False]
    assert listing.notes == (
        "Test, train, val are parts of a split set: the folders in them are the classes; all "
        "images are one set, which is split anew, unless data.split=official, which tests on Test",
    )


@pytest.mark.parametrize("parts", [("train", "valid"), ("training", "validation"), ("train",)])
def test_without_a_test_folder_there_is_no_official_test(tmp_path, parts):
    save(tmp_path, *(f"{part}/{kind}/1.png" for part in parts for kind in "ab"))
    listing = ImageFolder(tmp_path).listing()
    assert listing.classes == ("a", "b")
    assert listing.official_test is None
    assert "official" not in listing.notes[0]


def test_images_directly_in_a_part_are_counted(tmp_path):
    save(tmp_path, "train/cat/1.png", "train/dog/1.png", "test/1.png", "test/2.png")
    listing = ImageFolder(tmp_path).listing()
    assert len(listing) == 2
    assert listing.notes[0] == "2 files outside class folders left out"


def test_parts_without_classes_are_refused(tmp_path):
    save(tmp_path, "train/1.png", "test/1.png")
    with pytest.raises(
        DataError, match=r"test, train are parts .*<root>/test/<class>.*labels\.csv"
    ):
        ImageFolder(tmp_path).listing()


def test_one_other_name_makes_all_of_them_classes(tmp_path):
    save(tmp_path, "train/a/1.png", "bus/a/1.png", "val/1.png")
    listing = ImageFolder(tmp_path).listing()
    assert listing.classes == ("bus", "train", "val")
    assert listing.notes == ()


def test_an_empty_class_in_a_part_is_reported(tmp_path):
    save(tmp_path, "train/cat/1.png", "train/dog/1.png", "test/dog/1.png")
    for name in ("train/horse", "test/cat", "test/.cache"):
        (tmp_path / name).mkdir()
    assert "no images in horse: not a class of this task" in ImageFolder(tmp_path).listing().notes


def test_dicom_files_of_any_name_are_read_but_not_their_index(tmp_path):
    pixels = np.arange(16, dtype=np.uint8).reshape(4, 4)
    for name in ("ct/IM0001", "ct/1.2.840.10008", "mr/IM0002", "mr/a.img"):
        write_dicom(tmp_path / name, pixels)
    (tmp_path / "mr" / "DICOMDIR").write_bytes(bytes(128) + b"DICM")
    reader = ImageFolder(tmp_path)
    listing = reader.listing()
    assert listing.files.names == ["ct/1.2.840.10008", "ct/IM0001", "mr/IM0002", "mr/a.img"]
    assert all((reader.read(i) == pixels).all() for i in range(4))
    assert listing.rules == ("colour of DICOM",)


def test_of_an_animation_the_first_frame_is_read(tmp_path):
    save(tmp_path, "a/1.png", "b/1.gif")
    frames = [Image.fromarray(np.full((4, 4), value, np.uint8)) for value in (7, 99)]
    frames[0].save(tmp_path / "a" / "2.GIF", save_all=True, append_images=frames[1:])
    reader = ImageFolder(tmp_path)
    listing = reader.listing()
    assert listing.files.names == ["a/1.png", "a/2.GIF", "b/1.gif"]
    assert (reader.read(1) == 7).all()
    assert listing.notes == ("1 file of several pages: only the first is read",)


def test_files_of_other_types_are_counted_by_ending_and_many_are_a_warning(tmp_path):
    save(tmp_path, *(f"{kind}/{i}.png" for kind in "ab" for i in range(20)))
    (tmp_path / "a" / "notes.TXT").touch()
    listing = ImageFolder(tmp_path).listing()
    assert listing.notes == ("1 file of other types left out (1 .txt)",)
    assert listing.warnings == ()
    for name in ("IM0001", "IM0002", "1.psd"):
        (tmp_path / "b" / name).touch()
    listing = ImageFolder(tmp_path).listing()
    assert listing.notes == ()
    assert listing.warnings == (
        "4 files of other types left out (2 without an ending, 1 .txt, 1 .psd): 9% of the files; "
        "if they are images, convert them",
    )


def test_folders_of_patients_below_the_classes_are_noted(tmp_path):
    save(tmp_path, *(f"{kind}/p{k // 2}/{k}.png" for kind in "ab" for k in range(6)))
    (note,) = ImageFolder(tmp_path).listing().notes
    pattern = note.partition("group_pattern='")[2].partition("'")[0]
    listing = ImageFolder(tmp_path, group_pattern=pattern).listing()
    assert sorted(set(listing.groups)) == ["p0", "p1", "p2"]
    assert listing.notes == ()


def test_a_pattern_below_parts_of_a_split_set_skips_the_part(tmp_path):
    names = (f"train/{kind}/p{k // 2}/{k}.png" for kind in "ab" for k in range(6))
    save(tmp_path, *names)
    note = ImageFolder(tmp_path).listing().notes[-1]
    pattern = note.partition("group_pattern='")[2].partition("'")[0]
    assert "p2" in ImageFolder(tmp_path, group_pattern=pattern).listing().groups


def test_classes_below_patients_are_a_warning(tmp_path):
    save(tmp_path, *(f"p{k}/{'cat' if k % 2 else 'dog'}/1.png" for k in range(6)))
    (warning,) = ImageFolder(tmp_path).listing().warnings
    assert "6 classes have only 2 names (cat, dog); if these are the classes" in warning


def test_parts_below_the_classes_are_no_patients(tmp_path):
    save(tmp_path, *(f"{kind}/{part}/1.png" for kind in "abcd" for part in ("train", "test")))
    save(tmp_path, "a/train/2.png")
    listing = ImageFolder(tmp_path).listing()
    (note,) = listing.notes
    assert note.startswith("the folders test, train below the classes are read as one set; ")
    assert listing.warnings == ()


def test_two_sides_in_three_classes_are_no_swapped_classes(tmp_path):
    save(tmp_path, *(f"{kind}/{side}/{k}.png" for kind in "abc" for side in "lr" for k in "12"))
    assert ImageFolder(tmp_path).listing().warnings == ()


def test_classes_below_two_variants_of_a_set_are_a_warning(tmp_path):
    kinds = ("oak", "ash", "elm")
    save(
        tmp_path,
        *(f"{a}/{kind}/{k}.png" for a in ("colour", "grey") for kind in kinds for k in "12"),
    )
    (warning,) = ImageFolder(tmp_path).listing().warnings
    assert warning.startswith("each of the 2 classes (colour, grey) has the same 3 folders (ash, ")
    pattern = warning.partition("label_pattern='")[2].partition("'")[0]
    assert ImageFolder(tmp_path, label_pattern=pattern).listing().classes == ("ash", "elm", "oak")


def test_every_level_below_the_classes_may_be_of_patients(tmp_path):
    deep = "{0}/SOB/{0}_{1}/{0}_{1}_p{2}/40X/{3}.png"
    save(
        tmp_path, *(deep.format(c, s, p, k) for c in "ab" for s in "st" for p in "12" for k in "34")
    )
    (note,) = ImageFolder(tmp_path).listing().notes
    assert "the images lie in 4 folders below the classes" in note
    assert "; the 8 folders such as a_s_p1 in them: " in note
    pattern = note.split("group_pattern='")[2].partition("'")[0]
    assert len(set(ImageFolder(tmp_path, group_pattern=pattern).listing().groups)) == 8
