import numpy as np
import pytest
from PIL import Image

from datamodules.errors import DataError
from datamodules.readers.image_folder import ImageFolder


def save(root, *names):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.zeros((4, 4), np.uint8)).save(root / name)


def without_masks(root):
    """The listing as the error on masks advises."""
    with pytest.raises(DataError, match="may be their masks") as caught:
        ImageFolder(root).listing()
    way = str(caught.value).partition("data.reader.leave_out=")[2]
    pattern = way.split("'")[1] if way.startswith("'") else way.split(";")[0]
    return ImageFolder(root, leave_out=pattern).listing()


def test_masks_in_folders_of_their_own_are_left_out(tmp_path):
    parts = [("images", "png"), ("masks", "tif")]
    save(tmp_path, *(f"{c}/{part}/{c}-{k}.{e}" for c in "ab" for part, e in parts for k in "123"))
    listing = without_masks(tmp_path)
    assert listing.files.names == [f"{c}/images/{c}-{k}.png" for c in "ab" for k in "123"]
    assert listing.notes == ("6 files left out by data.reader.leave_out",)
    every = ImageFolder(tmp_path, label_pattern="^([^/]+)/").listing()  # the other way out
    assert (every.classes, len(every)) == (("a", "b"), 12)


def test_masks_beside_their_images_are_left_out(tmp_path):
    save(
        tmp_path, *(f"{c}/{c} ({k}){end}.png" for c in "ab" for k in "12" for end in ("", "_mask"))
    )
    save(tmp_path, "a/a (1)_mask_1.png")
    assert len(without_masks(tmp_path)) == 4


def test_masks_beside_several_scans_are_left_out(tmp_path):
    scans = ("flair", "t1", "seg")
    save(tmp_path, *(f"{c}/p{k}/p{k}_{scan}.png" for c in "ab" for k in "12" for scan in scans))
    assert len(without_masks(tmp_path)) == 8


def test_masks_in_both_parts_of_a_split_set(tmp_path):
    save(
        tmp_path,
        *(f"{part}/{c}/{k}{e}" for part in ("train", "test") for c in "ab" for k in "12"
          for e in (".png", "_seg.png")),
    )  # fmt: skip
    listing = without_masks(tmp_path)
    assert (listing.classes, len(listing), listing.official_test.sum()) == (("a", "b"), 8, 4)


@pytest.mark.parametrize("masks", ["annotations/trimaps", "labelsTr", "Segmentations"])
def test_a_folder_of_masks_beside_the_images_is_no_class(tmp_path, masks):
    save(tmp_path, *(f"{folder}/cat_{k}.png" for folder in ("images", masks) for k in "12"))
    with pytest.raises(DataError, match=r"2 images are named like others .*leave_out='\(\^\|/\)"):
        ImageFolder(tmp_path).listing()


@pytest.mark.parametrize(
    "classes",
    [
        *[("mask", "no_mask"), ("with_mask", "without_mask"), ("glasses", "hat", "mask")],
        *[("mask", "nomask"), ("Mask", "Unmasked"), ("noseg", "seg")],
    ],
)
def test_things_on_faces_are_classes(tmp_path, classes):
    save(tmp_path, *(f"{kind}/{k}.png" for kind in classes for k in "12"))
    assert ImageFolder(tmp_path).listing().classes == classes


def test_images_that_only_sound_like_masks_are_read(tmp_path):
    save(tmp_path, "a/1_mask.png", "a/2_mask.png", "b/masks/7.png", "b/masks/8.png", "b/9.png")
    assert len(ImageFolder(tmp_path).listing()) == 5  # no image has the name without the suffix
