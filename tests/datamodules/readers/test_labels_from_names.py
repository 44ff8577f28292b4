import numpy as np
import pytest
from PIL import Image

from datamodules.errors import DataError
from datamodules.readers.image_folder import ImageFolder


@pytest.fixture
def root(tmp_path):
    for part in ("train", "test"):
        for name in ("p1_cat_1.png", "p2_cat_2.JPG", "p1_big dog_1.png"):
            (tmp_path / part).mkdir(exist_ok=True)
            Image.fromarray(np.zeros((4, 4), np.uint8)).save(tmp_path / part / name)
    return tmp_path


def test_the_class_is_what_the_parentheses_match(root):
    reader = ImageFolder(root, label_pattern="_([^/]+)_", group_pattern="/(p[0-9])_")
    listing = reader.listing()
    assert listing.classes == ("big dog", "cat")
    assert listing.files.names[0] == "test/p1_big dog_1.png"
    assert listing.labels.tolist() == [0, 1, 1] * 2
    assert listing.groups.tolist() == ["p1", "p1", "p2"] * 2
    assert listing.official_test.tolist() == [True] * 3 + [False] * 3
    assert listing.notes[0].startswith("test, train are parts of a split set: all images are one")
    assert reader.read(0).shape == (4, 4)


def test_files_that_the_pattern_does_not_match_are_counted(root):
    Image.fromarray(np.zeros((4, 4), np.uint8)).save(root / "preview.png")
    (root / "train" / "notes.txt").touch()
    listing = ImageFolder(root, label_pattern="train/p[0-9]_([^_]+)").listing()
    assert len(listing) == 3
    assert listing.official_test is None
    assert listing.notes == (
        "4 images left out, of which data.reader.label_pattern matches no part (first: "
        "preview.png)",
    )
    assert "1 file of other types left out (1 .txt)" in listing.warnings[0]


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"label_pattern": "(cow)"}, r"label_pattern=\(cow\): matches none of the 6 paths below "),
        ({"label_pattern": "cat"}, r"label_pattern=cat: it has no parentheses"),
        ({"label_pattern": "("}, r"label_pattern=\(: is no regular expression"),
        ({"group_pattern": "(", "label_pattern": "(cat)"}, r"group_pattern=\(: is no regular"),
        ({"leave_out": "["}, r"leave_out=\[: is no regular expression"),
        ({"leave_out": "cow"}, r"leave_out=cow: matches no file below "),
        ({"label_pattern": "(cat)", "labels": "a.csv"}, r"use one of the two settings"),
        ({"label_pattern": "(cat)"}, r"4 images of 1 class \(cat\)"),
    ],
)
def test_patterns_that_cannot_be_meant_are_refused(root, options, match):
    with pytest.raises(DataError, match=match):
        ImageFolder(root, **options).listing()
