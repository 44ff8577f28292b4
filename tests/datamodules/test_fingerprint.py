"""The identity of data: their content and labels, wherever they lie."""

import shutil
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from PIL import Image

from datamodules import fingerprint as fingerprint_module
from datamodules.content import Contents
from datamodules.errors import DataError
from datamodules.fingerprint import identify
from datamodules.image_data import ImageData
from datamodules.readers.chexpert import CheXpert
from datamodules.readers.image_folder import ImageFolder
from datamodules.readers.imagenet import ImageNet
from datamodules.readers.mura import MURA
from datamodules.selection import Choice, select
from datamodules.tasks.all import All
from records.data_identity import change_between

RANDOM = np.random.default_rng(0)


def save(path, level=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = RANDOM.integers(0, 256, (4, 4), np.uint8) if level is None else np.full((4, 4), level)
    Image.fromarray(pixels.astype(np.uint8)).save(path)
    return path


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "data"
    rows = ["path,label,group"]
    for i in range(12):
        save(root / f"{i}.png")
        rows.append(f"{i}.png,{'ab'[i % 2]},p{i // 3}")
    (root / "labels.csv").write_text("\n".join(rows))
    return root


def identity(root, cache=None, **options):
    listing = ImageFolder(root, labels="labels.csv", **options).listing()
    found = identify(listing, pytest.fail, 0, Contents(cache, root))
    assert found is not None
    return found


def test_rules_that_are_newer_than_fingerprints_change_them(root):
    listing = ImageFolder(root, labels="labels.csv").listing()
    assert listing.rules == ()

    def found(rules=(), own=()):
        ruled = replace(listing, rules=own)
        return identify(ruled, pytest.fail, 0, Contents(None, root), rules=rules)

    plain, read, divided = found(), found(own=("new",)), found(rules=("new",))
    assert plain.fingerprint == identity(root).fingerprint
    assert len({plain.fingerprint, read.fingerprint, divided.fingerprint}) == 3
    assert read.whole == read.fingerprint
    assert divided.whole == plain.whole  # the data set did not change


def changed(root, edit, cache=None):
    before = identity(root, cache)
    images = before.manifest()
    edit()
    after = identity(root, cache)
    assert after.fingerprint != before.fingerprint
    return change_between(images, after.manifest())


def edit_labels(root, old, new):
    text = (root / "labels.csv").read_text()
    assert old in text
    (root / "labels.csv").write_text(text.replace(old, new))


def test_a_copy_is_the_same_data(root, tmp_path):
    copy = shutil.copytree(root, tmp_path / "copy", copy_function=shutil.copyfile)
    assert identity(copy).fingerprint == identity(root).fingerprint
    (root / "labels.csv").touch()
    assert identity(copy).fingerprint == identity(root).fingerprint


def test_every_change_is_another_fingerprint_and_is_named(root):
    replaced = changed(root, lambda: save(root / "3.png", level=7))
    assert replaced == "1 image replaced (3.png)"
    assert changed(root, lambda: edit_labels(root, "\n1.png,b", "\n1.png,a")) == (
        "1 image relabelled (1.png)"
    )
    assert changed(root, lambda: edit_labels(root, "5.png,b,p1", "5.png,b,p9")) == (
        "1 image regrouped (5.png)"
    )
    assert changed(root, lambda: edit_labels(root, "7.png,b,p2\n", "")) == (
        "1 image removed (7.png)"
    )
    save(root / "new.png")
    assert changed(root, lambda: edit_labels(root, "8.png", "new.png,a,p2\n8.png")) == (
        "1 image added (new.png)"
    )


def test_another_time_alone_is_no_change(root):
    before = identity(root).fingerprint
    content = (root / "4.png").read_bytes()
    (root / "4.png").unlink()
    (root / "4.png").write_bytes(content)
    assert identity(root).fingerprint == before


def classes_of_images(root):
    for kind in ("n01440764", "n01443537"):
        for i in range(6):
            save(root / "train" / kind / f"{i}.JPEG")
    return ImageNet(root, minimum=1), root / "train" / "n01443537" / "2.JPEG"


def radiographs(root):
    lines = ["Path,Frontal/Lateral,Pleural Effusion"]
    for i in range(12):
        place = f"train/patient{i:05d}/study1/view1_frontal.jpg"
        save(root / place)
        lines.append(f"CheXpert-v1.0-small/{place},Frontal,{i % 2}.0")
    (root / "train.csv").write_text("\n".join(lines))
    return CheXpert(root), root / "train/patient00005/study1/view1_frontal.jpg"


def limbs(root):
    for i in range(12):
        kind = ("positive", "negative")[i % 2]
        save(root / f"train/XR_HAND/patient{i:05d}/study1_{kind}/image1.png")
    return MURA(root), root / "train/XR_HAND/patient00004/study1_positive/image1.png"


@pytest.mark.parametrize("make", [classes_of_images, radiographs, limbs])
@pytest.mark.parametrize("limit", [10_000, 0])
def test_a_file_replaced_under_its_own_name_is_noticed(tmp_path, monkeypatch, make, limit):
    monkeypatch.setattr(fingerprint_module, "ALL_FILES", limit)
    reader, file = make(tmp_path / "data")
    choice = Choice(name="x", n=8, test_n=4, seed=0, split="image")

    def found(at=reader):
        listing = at.listing()
        contents = Contents(tmp_path / "cache", at.root)
        return identify(listing, lambda: select(listing, All(), choice), 8, contents).fingerprint

    before = found()
    copy = shutil.copytree(tmp_path / "data", tmp_path / "copy", copy_function=shutil.copyfile)
    reader.root = copy
    assert found() == before
    reader.root = tmp_path / "data"
    size = file.stat().st_size
    save(file)
    with file.open("ab") as stream:  # of the same size, or nearly
        stream.write(b"\0" * max(0, size - file.stat().st_size))
    assert found() != before


def test_of_a_large_set_the_images_in_use_count(root, monkeypatch):
    monkeypatch.setattr(fingerprint_module, "ALL_FILES", 3)
    listing = ImageFolder(root, labels="labels.csv").listing()

    def found(n, seed=0):
        chosen = select(listing, All(), Choice(name="x", n=n, test_n=2, seed=seed, split="image"))
        known = identify(listing, lambda: chosen, n, Contents(None, root))
        return known.fingerprint, known.manifest(), set(chosen.labels.index[chosen.used(n)])

    four, images, used = found(4)
    assert {f"{i}.png" for i in used} == set(images.images)
    assert images.total == 12
    assert found(6)[0] != four != found(4, seed=1)[0]
    save(root / f"{min(set(range(12)) - used)}.png")
    assert found(4)[0] == four
    save(root / f"{min(used)}.png")
    again, after, _ = found(4)
    assert again != four
    assert change_between(images, after) == f"1 image replaced ({min(used)}.png)"


def build(root, cache, n=6):
    return ImageData(
        name="mine",
        reader=partial(ImageFolder, labels="labels.csv"),
        root=str(root),
        task=All(),
        n=n,
        seed=0,
        batch_size=4,
        cache=cache,
        size=4,
        test_n=4,
        split="image",
    ).module()


def loaded(root, cache, n=6):
    data = build(root, cache, n)
    data.setup()
    return data


def test_decoded_images_follow_the_files(root, tmp_path):
    cache = tmp_path / "cache"
    before = loaded(root, cache)
    first = int(before.train.source[0])
    save(root / f"{first}.png", level=99)
    after = loaded(root, cache)
    assert (after.train.x[0] == 99).all()
    assert after.train.x[1:].equal(before.train.x[1:])
    assert after.fingerprint != before.fingerprint
    assert not (before.train.x[0] == 99).all()  # a run that goes on sees what it began with


def test_more_images_and_copies_decode_nothing_twice(root, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    loaded(root, cache, n=4)
    copy = shutil.copytree(root, tmp_path / "copy", copy_function=shutil.copyfile)
    read = []
    whole = ImageFolder.read
    monkeypatch.setattr(ImageFolder, "read", lambda self, i: read.append(i) or whole(self, i))
    same = loaded(copy, cache, n=4)
    assert not read
    more = loaded(copy, cache, n=6)
    assert len(read) == 2
    assert more.train.x[:4].equal(same.train.x)


def test_images_that_change_while_they_are_read_are_an_error(root, tmp_path, monkeypatch):
    whole = ImageFolder.read

    def read(self, i):  # called by several threads: a whole file takes the old one's place
        save(tmp_path / f"{i}.png").replace(root / "0.png")
        return whole(self, i)

    monkeypatch.setattr(ImageFolder, "read", read)
    with pytest.raises(DataError, match="changed while they were read"):
        loaded(root, tmp_path / "cache")
