import itertools
import struct
import zlib
from functools import partial

import nibabel
import numpy as np
import pydicom.data
import pytest
from PIL import Image

from datamodules.errors import BadFileError, DataError, DataNotFoundError
from datamodules.formats import locate
from datamodules.image_data import ImageData
from datamodules.readers.image_folder import ImageFolder
from datamodules.tasks.all import All
from tests.datamodules.fingerprints import fingerprint

RANDOM = np.random.default_rng(0)
GRAY = RANDOM.integers(0, 256, (6, 5), np.uint8)
COLOUR = RANDOM.integers(0, 256, (6, 5, 3), np.uint8)


def save(path, array=GRAY):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(array).save(path)
    return path


@pytest.fixture
def root(tmp_path):
    save(tmp_path / "cat" / "1.png")
    save(tmp_path / "cat" / "deep" / "2.PNG", COLOUR)
    save(tmp_path / "dog" / "1.tiff")
    save(tmp_path / "dog" / "2.JPG")
    return tmp_path


def listed(root, **options):
    reader = ImageFolder(root, **options)
    return reader, reader.listing()


def test_a_class_folder_without_images_is_reported(root):
    (root / "horse").mkdir()
    (root / ".cache").mkdir()
    _, listing = listed(root)
    assert listing.classes == ("cat", "dog")
    assert listing.notes == ("no images in horse: not a class of this task",)


def test_folders_are_classes(root):
    (root / "readme.txt").touch()
    (root / "dog" / "notes.txt").touch()
    (root / "dog" / "._1.png").touch()  # macOS's twin, no image
    reader, listing = listed(root)
    assert listing.classes == ("cat", "dog")
    assert listing.labels.tolist() == [0, 0, 1, 1]
    assert listing.groups is None
    assert listing.notes == ("1 file outside class folders left out",)
    assert listing.warnings == (
        "1 file of other types left out (1 .txt): 20% of the files; if they are images, convert "
        "them",
    )
    assert (reader.read(0) == GRAY).all()
    assert (reader.read(1) == COLOUR).all()
    assert listing.name(1).endswith("cat/deep/2.PNG")
    assert reader.threadsafe


def test_a_table_of_labels_that_is_not_used_is_noted(root):
    table = root / "patients.csv"
    table.write_text("path;label;patient\n")
    (root / "other.csv").write_text("x,y\n")
    notes = ImageFolder(root).listing().notes
    assert [note for note in notes if "table" in note] == [
        "patients.csv looks like a table of labels: data.reader.labels=patients.csv uses it"
    ]


def test_without_classes_every_table_is_named(tmp_path):
    save(tmp_path / "1.png")
    (tmp_path / "train labels.csv").write_text("image_id,diagnosis\n1,a\n")
    expected = r"if a table has the labels: \"data\.reader\.labels='train labels\.csv'\""
    with pytest.raises(DataError, match=expected):
        ImageFolder(tmp_path).listing()


def test_numbered_classes_are_in_the_order_of_numbers(tmp_path):
    for name in ("10", "9", "1"):
        save(tmp_path / name / "a.png")
    assert listed(tmp_path)[1].classes == ("1", "9", "10")


def test_a_changed_image_changes_the_fingerprint(root):
    before = fingerprint(listed(root)[1])
    save(root / "dog" / "1.tiff", COLOUR)
    assert fingerprint(listed(root)[1]) != before


def test_groups_from_the_path(tmp_path):
    for name in ("cat/p1_a.png", "cat/p2_a.png", "dog/p1_b.png"):
        save(tmp_path / name)
    _, listing = listed(tmp_path, group_pattern=r"(p\d+)_")
    assert listing.groups.tolist() == ["p1", "p2", "p1"]
    with pytest.raises(DataError, match=r"group_pattern=.*cat/p1_a\.png"):
        listed(tmp_path, group_pattern=r"(q\d+)_")


def test_a_named_group_column_must_be_there(root):
    lines = ["path,label,patient", "cat/1.png,ill,p1", "dog/1.tiff,well,p2"]
    (root / "labels.csv").write_text("\n".join(lines))
    with pytest.raises(BadFileError, match=r"no column `pateint`; the nearest is `patient`"):
        listed(root, labels="labels.csv", group_column="pateint")
    named = listed(root, labels="labels.csv", group_column="patient")[1]
    assert named.groups.tolist() == ["p1", "p2"]
    assert listed(root, labels="labels.csv")[1].groups is None
    with pytest.raises(DataError, match=r"group_column=patient: .*data\.reader\.labels"):
        listed(root, group_column="patient")


def test_a_csv_of_labels_and_groups(root):
    lines = ["Path,label,group", "cat/1.png,ill,p1", "dog/1.tiff,well,p2", "dog/2.JPG,ill,"]
    lines += ["dog/1.tiff,well,p2", "cat/deep/2.PNG,,p3", ""]
    (root / "labels.csv").write_text("\n".join(lines))
    reader, listing = listed(root, labels="labels.csv")
    assert listing.classes == ("ill", "well")
    assert listing.labels.tolist() == [0, 1, 0]
    assert listing.groups[:2].tolist() == ["p1", "p2"]
    assert listing.groups[2] not in ("", "None", "p1", "p2")  # it stands alone
    assert listing.notes == (
        "1 blank row",
        "1 repeated row",
        "1 row without a group: each such image is its own group",
    )
    assert (reader.read(1) == GRAY).all()


def test_a_csv_that_contradicts_itself_names_both_rows(root):
    (root / "labels.csv").write_text("path,label\ncat/1.png,a\ndog/1.tiff,b\ncat/1.png,b\n")
    with pytest.raises(DataError, match=r"row 4: cat/1\.png is labelled `b`, but `a` in .*row 2"):
        listed(root, labels="labels.csv")


def test_a_csv_without_a_column_names_it(root):
    (root / "labels.csv").write_text("path,lable\ncat/1.png,a\n")
    with pytest.raises(BadFileError, match=r"no column `label` .*label_column=lable"):
        listed(root, labels="labels.csv")


def test_a_missing_file_is_bad_when_read_with_its_row(root):
    (root / "labels.csv").write_text("path,label\ncat/1.png,a\ngone.png,b\n")
    reader, _ = listed(root, labels="labels.csv")
    with pytest.raises(BadFileError, match=r"row 3: .*gone\.png does not exist"):
        reader.read(1)


def test_sixteen_bit_pictures_need_a_word(root):
    deep = np.array([[0, 1000], [2000, 4000]], np.uint16)
    save(root / "cat" / "0.png", deep)
    reader, _ = listed(root)
    with pytest.raises(DataError, match=r"0\.png has uint16 pixels from 0 to 4000.*scale=type"):
        reader.read(0)
    expected = {"type": [0, 3, 7, 15], "max": [0, 63, 127, 255], "minmax": [0, 63, 127, 255]}
    for scale, values in expected.items():
        assert listed(root, scale=scale)[0].read(0).reshape(-1).tolist() == values
    save(root / "cat" / "0.png", deep + 4000)
    assert listed(root, scale="max")[0].read(0)[0, 0] == 127
    assert listed(root, scale="minmax")[0].read(0)[0, 0] == 0


def test_truncated_and_false_pictures_are_named(root):
    path = save(root / "cat" / "1.png", RANDOM.integers(0, 256, (64, 64), np.uint8))
    path.write_bytes(path.read_bytes()[:800])
    (root / "dog" / "2.JPG").write_text("not a picture")
    reader, listing = listed(root)
    for i, name in enumerate(listing.names):
        if name.endswith(("cat/1.png", "2.JPG")):
            with pytest.raises(BadFileError, match=name):
                reader.read(i)


def test_a_picture_of_bomb_size_is_refused_from_its_header(root):
    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 60000, 60000, 8, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    (root / "cat" / "1.png").write_bytes(b"\x89PNG\r\n\x1a\n" + header + body)
    reader, _ = listed(root)
    with pytest.raises(BadFileError, match=r"1\.png.*(3600000000|60000 x 60000)"):
        reader.read(0)


def test_symbolic_links_are_followed_but_loops_are_not(root):
    (root / "cat" / "deep" / "loop").symlink_to(root, target_is_directory=True)
    (root / "dog" / "self").symlink_to(root / "dog", target_is_directory=True)
    (root / "dog" / "broken.png").symlink_to(root / "nowhere.png")
    elsewhere = root.parent / "elsewhere"
    save(elsewhere / "3.png")
    (root / "eel").symlink_to(elsewhere, target_is_directory=True)
    reader, listing = listed(root)
    assert listing.classes == ("cat", "dog", "eel")
    assert len(listing) == 6
    broken = next(i for i, name in enumerate(listing.names) if name.endswith("broken.png"))
    with pytest.raises(BadFileError, match="does not exist"):
        reader.read(broken)


def test_an_unreadable_folder_is_told_not_passed_over(root, monkeypatch):
    def walk(top, followlinks, onerror):
        onerror(PermissionError(13, "Permission denied", str(top / "dog")))

    monkeypatch.setattr(locate.os, "walk", walk)
    with pytest.raises(DataError, match=r"dog: the folder cannot be read \(Permission denied\)"):
        listed(root)


def test_real_dicom_files_and_volumes(tmp_path):
    ct = pydicom.data.get_testdata_file("CT_small.dcm")
    for name in ("ill/a.dcm", "well/b.DCM"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).symlink_to(ct)
    volume = np.stack([np.full((4, 3), 10 * k) for k in range(7)], axis=-1).astype(np.int16)
    nibabel.save(nibabel.Nifti1Image(volume, np.eye(4)), tmp_path / "well" / "v.nii.gz")
    reader, listing = listed(tmp_path, scale="percentile")
    assert listing.labels.tolist() == [0, 1, *[1] * 7]
    assert listing.groups[2] == listing.groups[8] != listing.groups[1]
    assert listing.name(8).endswith("v.nii.gz, slice 6")
    assert not reader.threadsafe
    image = reader.read(0)
    assert image.shape == (128, 128)
    assert image.min() == 0
    assert image.max() == 255
    levels = [reader.read(i)[0, 0] for i in range(2, 9)]
    assert levels == sorted(set(levels))


def volume(path, shape=(4, 5, 6), kind=np.int16):
    path.parent.mkdir(parents=True, exist_ok=True)
    nibabel.save(nibabel.Nifti1Image(np.zeros(shape, kind), np.eye(4)), path)


def no_volume(path):
    path.write_bytes(b"nothing")


def empty(path):
    volume(path, shape=(4, 0, 6))


def negative(path):
    volume(path)
    content = bytearray(path.read_bytes())
    content[42:48] = struct.pack("<3h", 4, -5, -6)
    path.write_bytes(content)


def colours(path):
    volume(path, kind=np.dtype([("R", "u1"), ("G", "u1"), ("B", "u1")]))


def complex_numbers(path):
    volume(path, kind=np.complex64)


def flat(path):
    volume(path, shape=(4, 5))


@pytest.mark.parametrize("spoil", [no_volume, empty, negative, colours, complex_numbers, flat])
def test_a_volume_that_cannot_be_read_is_named_or_passed_over(tmp_path, spoil):
    for name in ("a", "b", "c"):
        volume(tmp_path / "cat" / f"{name}.nii")
        volume(tmp_path / "dog" / f"{name}.nii.gz")
    spoil(tmp_path / "cat" / "bad.nii")
    reader, listing = listed(tmp_path, scale="minmax")
    bad = [i for i in range(len(listing)) if "bad.nii" in listing.name(i)]
    assert bad
    for i in bad:
        with pytest.raises(BadFileError, match=r"bad\.nii: (is no|claims|holds|has)"):
            reader.read(i)
    data = ImageData(
        name="image_folder", reader=partial(ImageFolder, scale="minmax"), root=str(tmp_path),
        task=All(), n=24, test_n=8, seed=0, batch_size=8, size=4, split="image",
        cache=tmp_path / "c", on_bad_file="skip",
    ).module()  # fmt: skip
    data.setup()
    assert len(data.train.x) == 24


def test_too_few_classes_and_no_folder_say_the_expected_tree(tmp_path):
    with pytest.raises(DataNotFoundError, match=r"nowhere(.|\n)*labels\.csv"):
        listed(tmp_path / "nowhere")
    save(tmp_path / "loose.png")
    with pytest.raises(DataError, match=r"0 images of 0 classes(.|\n)*<root>/cat"):
        listed(tmp_path)
    save(tmp_path / "cat" / "1.png")
    (tmp_path / "cat" / "IM0001").write_bytes(b"DICOM without an ending")
    with pytest.raises(DataError, match=r"1 image of 1 class \(cat\)") as caught:
        listed(tmp_path)
    assert "Names end with .png" in str(caught.value)
    assert "1 file of other types left out" in str(caught.value)


def test_gray_and_small_images_come_with_a_hint(tmp_path):
    rng = np.random.default_rng(0)
    for name, shape in (("gray", (6, 8)), ("colour", (6, 8, 3))):
        for k, i in itertools.product("ab", range(8)):
            save(tmp_path / name / k / f"{i}.png", rng.integers(0, 256, shape).astype(np.uint8))

    def hints(name, reader=ImageFolder, **options):
        data = ImageData(
            name="image_folder", reader=reader, root=str(tmp_path / name), task=All(), n=8,
            test_n=4, seed=0, batch_size=8, cache=tmp_path / "c", **options,
        ).module()  # fmt: skip
        data.setup()
        return data.warnings[1:]  # the first is on groups

    assert hints("gray", size=8, channels=3) == (
        "all images are grey but read in three channels; data.channels=1 takes a third of the "
        "memory",
    )
    assert hints("gray", size=8, channels=1) == hints("colour", size=8, channels=3) == ()
    (enlarged,) = hints("colour", size=9, channels=3)
    assert "6 x 8 pixels is enlarged to 9 x 9" in enlarged

    for k, i in itertools.product("ab", range(8)):  # 12 bits: `type` leaves 4 of 256 levels
        deep = rng.integers(0, 1000, (6, 8)).astype(np.uint16)
        save(tmp_path / "deep" / k / f"{i}.png", deep)
    typed = partial(ImageFolder, scale="type")
    (dark,) = hints("deep", size=8, channels=1, reader=typed)
    assert dark == (
        "all pixels of the training images are from 0 to 3 of 0..255; "
        "data.reader.window=[centre,width] uses more levels"  # of arrays of bytes no scale does
    )
    assert hints("deep", size=8, channels=1, reader=partial(ImageFolder, scale="minmax")) == ()
