from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from datamodules.errors import BadArchiveError, BadFileError, DataError
from datamodules.formats.gray_levels import GrayRule
from datamodules.image_data import ImageData
from datamodules.readable import count_readable
from datamodules.reader import Listing
from datamodules.readers.digits import Digits
from datamodules.scanned_images import scan
from datamodules.tasks.all import All


class Counting:
    """400 tiny images of two classes; image i is grey level i % 251; counts what is read."""

    bad: frozenset[int] = frozenset()

    def __init__(self, root=None, groups=False, bad=()):
        self.bad = frozenset(bad)
        self.groups = groups
        self.reads = []

    def listing(self):
        return Listing(
            labels=np.arange(400) % 2,
            classes=("even", "odd"),
            groups=np.arange(400) // 4 if self.groups else None,
        )

    def read(self, i):
        self.reads.append(i)
        if i in self.bad:
            raise OSError("image file is truncated")
        return np.full((4, 4), i % 251, np.uint8)


def build(cache, reader, n=40, **options):
    options = {"name": "counting", "size": 4, "test_n": 20, "split": "image", **options}
    return ImageData(
        reader=lambda root: reader, task=All(), n=n, seed=0, batch_size=8, cache=cache, **options
    ).module()


def loaded(*args, **options):
    data = build(*args, **options)
    data.setup()
    return data


def test_digits_are_read_and_described(tmp_path):
    data = ImageData(
        name="digits",
        reader=Digits,
        task=All(),
        n=500,
        seed=0,
        batch_size=64,
        cache=tmp_path,
        size=32,
    ).module()
    data.setup()
    assert data.spec.classes == tuple("0123456789")
    assert data.train.x.shape == (500, 1, 32, 32)
    pixels = data.train.images().double()
    np.testing.assert_allclose(data.spec.mean, [pixels.mean()], rtol=1e-6)
    np.testing.assert_allclose(data.spec.std, [pixels.std(correction=0)], rtol=1e-6)


def test_a_second_start_decodes_nothing_and_more_images_only_the_new_ones(tmp_path):
    first = loaded(tmp_path, reader := Counting())
    assert len(reader.reads) == 60
    again = loaded(tmp_path, reader := Counting())
    assert reader.reads == []
    assert again.train.x.equal(first.train.x)
    more = loaded(tmp_path, reader := Counting(), n=100)
    assert len(reader.reads) == 60
    assert more.train.x[:40].equal(first.train.x)


def test_rows_are_the_images_the_split_says(tmp_path):
    data = loaded(tmp_path, Counting())
    for split in (data.train, data.test):
        assert (split.x[:, 0, 0, 0] == split.source % 251).all()
        assert (split.y == split.source % 2).all()


def test_an_unreadable_image_stops_with_its_name(tmp_path):
    whole = loaded(tmp_path / "whole", Counting())
    bad = int(whole.test.source[3])
    with pytest.raises(
        BadFileError, match=rf"image {bad}: cannot be read .*truncated.*on_bad_file=skip"
    ):
        loaded(tmp_path, Counting(bad=[bad]))


def test_unreadable_images_are_counted_and_ten_are_named(tmp_path):
    tested = sorted(loaded(tmp_path / "whole", Counting()).test.source.tolist())
    with pytest.raises(DataError) as caught:
        loaded(tmp_path, Counting(bad=tested[:12]))
    first, *named, more, advice = str(caught.value).splitlines()
    assert first == f"12 of 20 images cannot be read; the first is image {tested[0]}"
    assert [line.partition(":")[0].strip() for line in named] == [f"image {i}" for i in tested[:10]]
    assert all("truncated" in line for line in named)
    assert more.strip() == "and 2 more"
    assert "data.on_bad_file=skip" in advice


def test_the_key_of_decoded_images_does_not_depend_on_where_tables_are_stored(tmp_path):
    reader = Counting()
    for index in ("/first/index", "/second/index"):
        ImageData(
            name="counting",
            reader=partial(lambda root, index: reader, index=index),
            task=All(),
            n=40,
            seed=0,
            batch_size=8,
            cache=tmp_path,
            size=4,
            test_n=20,
        ).module().setup()
    assert len(reader.reads) == 60


@pytest.mark.parametrize("groups", [False, True])
def test_skipped_images_are_replaced_by_their_class_and_counted(tmp_path, groups):
    split = "group" if groups else "image"
    bad = range(0, 400, 7)
    data = loaded(tmp_path, Counting(groups=groups, bad=bad), on_bad_file="skip", split=split)
    train, test = data.train, data.test
    assert not set(bad) & set(train.source.tolist() + test.source.tolist())
    assert not set(train.source.tolist()) & set(test.source.tolist())
    assert (train.y == train.source % 2).all()
    assert train.y.sum() == 20
    assert test.y.sum() == 10
    assert sum("unreadable" in note for note in data.notes) == 2
    if groups:
        assert not set(train.group.tolist()) & set(test.group.tolist())


def test_skipping_gives_the_same_rows_whatever_was_cached_before(tmp_path):
    bad = range(0, 400, 7)
    direct = loaded(tmp_path / "a", Counting(bad=bad), n=200, on_bad_file="skip")
    for n in (20, 50, 200):
        stepwise = loaded(tmp_path / "b", Counting(bad=bad), n=n, on_bad_file="skip")
    assert stepwise.train.source.equal(direct.train.source)
    assert stepwise.train.x.equal(direct.train.x)
    assert stepwise.notes == direct.notes
    fewer = loaded(tmp_path / "b", Counting(bad=bad), n=20, on_bad_file="skip")
    fresh = loaded(tmp_path / "c", Counting(bad=bad), n=20, on_bad_file="skip")
    assert fewer.notes == fresh.notes != direct.notes


def test_too_many_unreadable_images_are_an_error_not_fewer_images(tmp_path):
    with pytest.raises(DataError, match="no readable ones"):
        loaded(tmp_path, Counting(bad=range(0, 300)), n=300, on_bad_file="skip")


def write_counting(root, level=1):
    (root / "level.txt").write_text(str(level))


def test_a_standin_is_written_once_per_setting_and_said(tmp_path):
    roots = []

    def reader(root):
        roots.append(root)
        return Counting()

    for level in (1, 1, 2):
        data = ImageData(
            name="counting",
            reader=reader,
            task=All(),
            n=10,
            seed=0,
            batch_size=8,
            size=4,
            test_n=4,
            cache=tmp_path,
            use_standin=True,
            standin=partial(write_counting, level=level),
        ).module()
        data.setup()
    assert data.spec.standin
    assert roots[0] == roots[1] != roots[2]
    assert (roots[2] / "level.txt").read_text() == "2"


def fail_midway(root):
    (root / "half").touch()
    raise RuntimeError("disk full")


def test_a_broken_off_standin_leaves_nothing(tmp_path):
    data = build(tmp_path, Counting(), use_standin=True, standin=fail_midway)
    with pytest.raises(RuntimeError):
        data.setup()
    assert not [p for p in (tmp_path / "standins").iterdir() if p.is_dir()]


def test_a_data_set_without_standin_says_so(tmp_path):
    with pytest.raises(DataError, match="has no stand-in"):
        build(tmp_path, Counting(), use_standin=True).setup()


def test_a_file_that_holds_all_images_is_not_skipped_image_by_image(tmp_path):
    class Archive(Counting):
        def read(self, i):
            self.reads.append(i)
            raise BadArchiveError("all.npz", "is truncated.", "Write it again.")

    with pytest.raises(BadArchiveError, match=r"all.npz: is truncated. Write it again."):
        loaded(tmp_path, reader := Archive(), on_bad_file="skip")
    assert len(reader.reads) == 1


def test_validation_images_are_set_aside_by_group(tmp_path):
    whole = loaded(tmp_path, Counting(groups=True), split="group")
    apart = loaded(tmp_path, Counting(groups=True), split="group", validation=0.25)
    assert apart.validation is not None
    assert not set(apart.train.group.tolist()) & set(apart.validation.group.tolist())
    both = [*apart.train.source.tolist(), *apart.validation.source.tolist()]
    assert sorted(both) == sorted(whole.train.source.tolist())
    assert apart.test.source.equal(whole.test.source)
    assert (apart.spec.n, apart.spec.validation_n) == (len(apart.train), len(apart.validation))
    assert 6 <= len(apart.validation) <= 14
    assert apart.spec.mean == (pytest.approx(float(apart.train.images().mean())),)


def test_without_groups_the_number_of_validation_images_is_exact(tmp_path):
    data = loaded(tmp_path, Counting(groups=True), split="image", validation=10)
    assert data.validation.y.bincount().tolist() == [5, 5]


def test_the_order_of_batches_may_have_a_seed_of_its_own(tmp_path):
    one, other = loaded(tmp_path, Counting()), loaded(tmp_path, Counting())
    other.order_seed = 5
    assert one.train.source.equal(other.train.source)
    first, second = (next(iter(data.train_dataloader())).index for data in (one, other))
    assert not first.equal(second)


def test_a_fold_is_the_test_set(tmp_path):
    parts = [
        loaded(tmp_path, Counting(groups=True), split="group", test_n=None, folds=4, fold=fold)
        for fold in range(4)
    ]
    tested = [source for data in parts for source in data.test.source.tolist()]
    assert sorted(tested) == list(range(400))
    for data in parts:
        assert len(data.train) == 40
        assert not set(data.train.group.tolist()) & set(data.test.group.tolist())


@pytest.mark.parametrize("options", [{"split": "official"}, {"order": "file"}])
def test_folds_need_images_that_are_free_to_be_divided(tmp_path, options):
    with pytest.raises(DataError, match="folds=4: folds are drawn from all images"):
        loaded(tmp_path, Counting(), folds=4, fold=0, **options)


def test_images_decoded_under_older_rules_of_a_reader_are_not_reused(tmp_path, monkeypatch):
    def pixels():
        data = ImageData(
            name="counting", reader=partial(Counting), root=str(tmp_path), task=All(), n=8,
            test_n=4, seed=0, batch_size=8, size=4, split="image", cache=tmp_path,
        ).module()  # fmt: skip
        data.setup()
        return data.train.x

    before, old = pixels(), Counting.read
    monkeypatch.setattr(Counting, "read", lambda self, i: 255 - old(self, i))
    monkeypatch.setattr(Counting, "version", 2, raising=False)
    assert (pixels() == 255 - before).all()


class Mixed(Counting):
    """Some images have 16 bits."""

    deep = (3, 8, 20)

    def read(self, i):
        image = super().read(i)
        values = image.astype(np.uint16) + i if i in self.deep else image
        return GrayRule().levels(values, f"image {i}")


@pytest.mark.parametrize("on_bad_file", ["stop", "skip"])
def test_16_bit_images_among_others_are_one_error_with_the_rule_that_keeps_the_others(
    tmp_path, on_bad_file
):
    reader = Mixed(bad=[5])
    with pytest.raises(DataError) as caught:
        loaded(tmp_path, reader, n=380, test_n=20, on_bad_file=on_bad_file)
    first, kind, *_, advice = str(caught.value).splitlines()
    assert "images read have other than 8-bit pixels, and no rule:" in first
    assert "of uint16, from " in kind
    assert "the first is image " in kind
    assert "data.reader.scale=type leaves the " in advice
    with pytest.raises(DataError) as caught:
        scan(build(tmp_path, reader).settings)
    assert str(caught.value).splitlines() == [
        "3 of 400 images read have other than 8-bit pixels, and no rule:",
        "    3 images of uint16, from 6 to 40; the first is image 3",
        "    1 file that cannot be read",
        "data.reader.scale=type leaves the 396 of 8 bits as they are; max, minmax, percentile and "
        "data.reader.window change them too.",
    ]


def test_a_set_of_16_bit_images_is_not_read_whole_before_the_question(tmp_path):
    reader = Mixed()
    reader.deep = range(400)
    with pytest.raises(DataError, match=r"image \d+ has uint16 pixels .*scale=type\|max"):
        scan(build(tmp_path, reader).settings)
    assert len(reader.reads) == 100


@pytest.mark.parametrize("split", ["image", "group"])
def test_the_largest_n_without_unreadable_images_can_be_loaded_and_no_larger_one(tmp_path, split):
    reader = Counting(groups=True, bad=range(0, 60, 2))
    options = {"split": split, "on_bad_file": "skip", "test_n": 100}
    most = count_readable(replace(build(tmp_path, reader, **options).settings, n=0))
    assert 0 < most < 300
    assert scan(build(tmp_path, reader, **options).settings).most == most
    assert len(loaded(tmp_path, reader, n=most, **options).train) == most
    with pytest.raises(DataError, match="no readable ones of their class are left"):
        loaded(tmp_path, reader, n=most + 2, **options)


class Official(Counting):
    """The last 40 images are the publishers' test set."""

    def listing(self):
        return replace(super().listing(), official_test=np.arange(400) >= 360)


def test_an_unreadable_official_test_image_is_replaced_by_another_of_the_test_set(tmp_path):
    reader = Official(bad=[361, 370, 371, 398])
    options = {"split": "official", "on_bad_file": "skip", "test_n": 30}
    test = loaded(tmp_path, reader, **options).test
    assert (test.source >= 360).all()
    assert not set(test.source.tolist()) & reader.bad
    assert np.bincount(test.y.numpy()).tolist() == [15, 15]
