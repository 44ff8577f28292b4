import numpy as np
import pytest
from PIL import Image

from datamodules.errors import DataError
from datamodules.readers.image_folder import ImageFolder
from datamodules.readers.no_classes import are_pieces


def save(root, *names):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.zeros((4, 4), np.uint8)).save(root / name)


def refused(root, match, **options):
    with pytest.raises(DataError, match=match) as caught:
        ImageFolder(root, **options).listing()
    return str(caught.value)


@pytest.mark.parametrize(
    "names",
    [
        ("stage_2_train_images", "stage_2_test_images"),
        ("images_training_rev1", "images_test_rev1"),
        ("seg_pred", "seg_test", "seg_train"),
        ("HAM10000_images_part_1", "HAM10000_images_part_2"),
        ("TrainImages", "ValImages"),
    ],
)
def test_pieces_of_a_set_are_no_classes(tmp_path, names):
    save(tmp_path, *(f"{name}/{k}.png" for name in names for k in "12"))
    (tmp_path / "truth.csv").write_text("image,dx\n1,a\n")
    message = refused(tmp_path, r"are parts of a set, not classes\. Give the labels in a table")
    assert "data.reader.labels=truth.csv" in message
    assert len(ImageFolder(tmp_path, label_pattern="^([^/]+)/").listing().classes) == len(names)


@pytest.mark.parametrize(
    "names",
    [
        *[("grade_1", "grade_2"), ("0", "1"), ("train", "bus"), ("left", "right"), ("p1", "p2")],
        *[("train_été", "train_hiver"), ("image_猫_1", "image_犬_1"), ("part_a", "part_b")],
    ],
)
def test_other_names_are_classes(tmp_path, names):
    assert not are_pieces(names)
    save(tmp_path, *(f"{name}/{k}.png" for name in names for k in "12"))
    assert ImageFolder(tmp_path).listing().classes == tuple(sorted(names))


def test_parts_with_classes_below_them_name_the_classes(tmp_path):
    parts = ("seg_train/seg_train", "seg_test/seg_test")
    save(tmp_path, *(f"{part}/{kind}/1.png" for part in parts for kind in ("sea", "street")))
    message = refused(tmp_path, r"Read one of them: data\.root=\S+/seg_train;")
    pattern = message.partition("label_pattern='")[2].partition("'")[0]
    assert ImageFolder(tmp_path, label_pattern=pattern).listing().classes == ("sea", "street")


def test_train_in_train_is_no_class(tmp_path):
    save(tmp_path, *(f"{part}/{part}/{kind}/1.png" for part in ("train", "test") for kind in "ab"))
    message = refused(tmp_path, r"test, train are parts of a set, not classes")
    pattern = message.partition("label_pattern='")[2].partition("'")[0]
    listing = ImageFolder(tmp_path, label_pattern=pattern).listing()
    assert (listing.classes, len(listing)) == (("a", "b"), 4)


def test_a_folder_beside_the_parts_makes_no_classes_of_them(tmp_path):
    save(tmp_path, *(f"{part}/{kind}/1.png" for part in ("train", "Test") for kind in "ab"))
    save(tmp_path, "new (2)/1.png", "new (2)/2.png")
    message = refused(tmp_path, r"new \(2\) beside Test, train, which are parts of a split set")
    pattern = message.partition("leave_out='")[2].partition("'")[0]
    listing = ImageFolder(tmp_path, leave_out=pattern).listing()
    assert (listing.classes, listing.official_test.sum()) == (("a", "b"), 2)


@pytest.mark.parametrize("others", [("sick", "well"), ("train", "val", "test")])
def test_a_second_copy_of_the_set_is_no_class(tmp_path, others):
    below = "/a" if "val" in others else ""
    for above in ("", "cells/"):
        save(tmp_path, *(f"{above}{name}{below}/{k}.png" for name in others for k in "12"))
    message = refused(
        tmp_path, r"the folder cells has the folders .* again, .*data\.root=\S+/cells;"
    )
    pattern = message.partition("leave_out='")[2].partition("'")[0]
    if below:
        return  # one class only
    listing = ImageFolder(tmp_path, leave_out=pattern).listing()
    assert (listing.classes, len(listing)) == (others, 4)
    assert listing.notes[0] == "4 files left out by data.reader.leave_out"


@pytest.mark.parametrize("patients", [("0123", "0123", "0123"), ("0123", "0", "0")])
def test_patients_that_are_numbered_like_the_classes_are_no_copy(tmp_path, patients):
    save(tmp_path, *(f"{c}/{p}/{k}.png" for c in range(3) for p in patients[c] for k in "12"))
    assert ImageFolder(tmp_path).listing().classes == ("0", "1", "2")


def test_one_folder_around_the_set_is_named(tmp_path):
    save(tmp_path, *(f"set v1/images/{kind}/{k}.png" for kind in ("cat", "dog") for k in "12"))
    root = f"\"data.root='{tmp_path}/set v1/images'\""
    message = refused(tmp_path, r"if its folders \(cat, dog\) are the classes: ")
    assert root in message
    assert "group_pattern" not in message


@pytest.mark.parametrize("parts", [("train", "val", "test"), ("train_images", "test_images")])
def test_one_folder_around_a_split_set_is_named(tmp_path, parts):
    save(tmp_path, *(f"chest/{part}/{kind}/1.png" for part in parts for kind in "ab"))
    message = refused(tmp_path, r"if its folders \(.*\) have the classes in them: data\.root=\S+")
    root = tmp_path / "chest"
    assert f"data.root={root}\n" in message
    if "val" in parts:
        assert ImageFolder(root).listing().classes == ("a", "b")
    else:
        refused(root, "are parts of a set, not classes. Read one of them")


def test_classes_in_the_names_of_files_are_offered(tmp_path):
    kinds = ("café", "pug", "saint_bernard")
    save(tmp_path, *(f"{kind}{end}.png" for kind in kinds for end in ("_1", " (2)")))
    message = refused(tmp_path, r"have the class \(`café \(2\)\.png` is `café`, one of 3\)")
    pattern = message.partition("label_pattern='")[2].partition("'")[0]
    assert ImageFolder(tmp_path, label_pattern=pattern).listing().classes == kinds


def test_names_that_are_numbered_offer_no_classes(tmp_path):
    save(tmp_path, *(f"scan_{k}.png" for k in "1234"))
    assert "names of the files" not in refused(tmp_path, "0 images of 0 classes")


def test_pieces_around_which_a_folder_lies_are_not_offered_as_classes(tmp_path):
    parts = ("a. Training Set", "b. Testing Set")
    save(tmp_path, *(f"images/{part}/{k}.png" for part in parts for k in "12"))
    assert "are the classes: data.root" not in refused(tmp_path, "4 images of 1 class")
