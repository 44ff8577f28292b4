import numpy as np
import pytest
from PIL import Image

from datamodules.errors import BadFileError
from datamodules.readers.image_folder import ImageFolder

TRUTH = "image,MEL,NV,odd one\n0,1.0,0.0,0.0\n1,0,1,0\n2,0,0,1\n3,0,1,0\n"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "images").mkdir()
    for k in range(4):
        Image.fromarray(np.zeros((4, 4), np.uint8)).save(tmp_path / "images" / f"{k}.png")
    return tmp_path


def listed(root, text, columns):
    (root / "labels.csv").write_text(text)
    return ImageFolder(root, "labels.csv", path_column="image", label_column=columns).listing()


def test_the_class_is_the_column_that_has_the_one(root):
    listing = listed(root, TRUTH, ["MEL", "NV", "odd one"])
    assert listing.classes == ("MEL", "NV", "odd one")
    assert listing.labels.tolist() == [0, 1, 2, 1]
    some = listed(root, TRUTH, ["MEL", "nv"])
    assert (some.classes, some.notes[0]) == (("MEL", "nv"), "1 blank row")


def test_the_columns_are_suggested(root):
    with pytest.raises(BadFileError) as caught:
        listed(root, TRUTH, "label")
    assert str(caught.value).endswith(
        "By their content: \"data.reader.label_column=[MEL,NV,'odd one']\"."
    )


@pytest.mark.parametrize(("old", "new"), [("1.0", "0.7"), ("1.0", "-1"), ("0,1,0", "0,yes,0")])
def test_other_values_are_no_labels(root, old, new):
    with pytest.raises(BadFileError, match=r"has `\S+` in (MEL|NV); of several columns of labels"):
        listed(root, TRUTH.replace(old, new), ["MEL", "NV", "odd one"])


def test_true_and_false_are_one_and_zero(root):
    text = "image,MEL,NV\n0,True,False\n1,False,True\n2,FALSE,TRUE\n3,,1\n"
    assert listed(root, text, ["MEL", "NV"]).labels.tolist() == [0, 1, 1, 1]


def test_several_findings_are_no_classes(root):
    with pytest.raises(BadFileError, match=r"row 5 has a 1 in NV and odd one, .*label_column=NV"):
        listed(root, TRUTH.replace("3,0,1,0", "3,0,1,1"), ["MEL", "NV", "odd one"])
    with pytest.raises(BadFileError, match=r"label_column=MEL\.|label_column=NV\."):
        listed(root, TRUTH.replace("3,0,1,0", "3,0,1,1"), "label")
