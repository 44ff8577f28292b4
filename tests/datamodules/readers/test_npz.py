import numpy as np
import pytest

from datamodules.errors import BadFileError, DataError, DataNotFoundError
from datamodules.image_data import ImageData
from datamodules.readers.npz import Npz
from datamodules.tasks.all import All
from tests.memory import peak_memory

RANDOM = np.random.default_rng(0)
X = RANDOM.integers(0, 256, (6, 5, 4, 3), np.uint8)
Y = np.array([2, 0, 2, 0, 2, 0])


def saved(folder, **arrays):
    np.savez_compressed(folder / "mine.npz", **arrays)
    return folder / "mine.npz"


def test_images_labels_and_groups(tmp_path):
    path = saved(
        tmp_path, x=X, y=Y, group=np.arange(6) // 2, is_test=Y == 2, classes=["a", "b", "c"]
    )
    for root in (path, tmp_path):
        reader = Npz(root)
        listing = reader.listing()
        assert listing.classes == ("a", "c")
        assert listing.labels.tolist() == [1, 0, 1, 0, 1, 0]
        assert listing.groups.tolist() == [0, 0, 1, 1, 2, 2]
        assert listing.official_test.tolist() == (Y == 2).tolist()
        assert (reader.read(2) == X[2]).all()


def test_text_labels_and_other_names(tmp_path):
    path = saved(tmp_path, images=X, kind=np.array(list("uvuvuv")), patient=np.arange(6))
    listing = Npz(path, x="images", y="kind", group="patient").listing()
    assert listing.classes == ("u", "v")
    assert listing.groups.tolist() == list(range(6))


@pytest.mark.parametrize(
    ("x", "shape"),
    [
        (X, (5, 4, 3)),
        (X.transpose(0, 3, 1, 2), (5, 4, 3)),
        (X[..., :1], (5, 4)),
        (X[..., 0], (5, 4)),
        (X[..., :1].transpose(0, 3, 1, 2), (5, 4)),
    ],
)
def test_layouts(tmp_path, x, shape):
    image = Npz(saved(tmp_path, x=x, y=Y)).read(3)
    assert image.shape == shape
    assert (image == X[3][..., : (image.ndim == 3 and 3) or 1].squeeze()).all()


def test_floats_need_a_rule(tmp_path):
    path = saved(tmp_path, x=X / 255, y=Y)
    with pytest.raises(
        DataError, match=r"float64 pixels from 0.* data\.reader\.scale=type for floats"
    ):
        Npz(path).read(0)
    assert np.abs(Npz(path, scale="type").read(1).astype(int) - X[1]).max() <= 1
    with pytest.raises(DataError, match=r"expects 0\.\.1"):
        Npz(saved(tmp_path, x=X * 1.0, y=Y), scale="type").read(1)


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"x": X}, r"no array `y` \(it has x\)\."),
        ({"x": X, "labels": Y}, r"no array `y` \(it has x, labels\); .* data\.reader\.y=labels\."),
        ({"x": X, "y": np.eye(6)}, r"`y` is float64 \(6, 6\), not"),
        ({"x": X, "y": Y + 0.25}, "`y` is float64"),
        ({"x": X, "y": np.array([{}] * 6)}, "cannot be read .*holds object"),
        ({"x": X, "y": Y, "group": np.arange(5)}, r"`group` is int64 \(5,\)"),
    ],
)
def test_bad_labels_are_named(tmp_path, arrays, reason):
    with pytest.raises(BadFileError, match=reason):
        Npz(saved(tmp_path, **arrays)).listing()


def test_labels_in_a_column_or_as_whole_floats(tmp_path):
    wanted = Npz(saved(tmp_path, x=X, y=Y)).listing()
    for y in (Y[:, None], Y.astype(float)):
        found = Npz(saved(tmp_path, x=X, y=y)).listing()
        assert found.labels.tolist() == wanted.labels.tolist()
        assert found.classes == wanted.classes


@pytest.mark.parametrize(
    ("x", "reason"),
    [(X[:5], "N = 6"), (X[:, 0, 0], "not"), (RANDOM.random((6, 5, 4, 7)), "not")],
)
def test_bad_images_are_named(tmp_path, x, reason):
    with pytest.raises(BadFileError, match=reason):
        Npz(saved(tmp_path, x=x, y=Y)).read(0)


def test_what_is_no_archive_is_named(tmp_path):
    with pytest.raises(DataNotFoundError, match=r"np\.savez"):
        Npz(tmp_path).listing()
    (tmp_path / "one.npz").write_bytes(b"nothing")
    with pytest.raises(BadFileError, match=r"not a \.npz file"):
        Npz(tmp_path).listing()
    saved(tmp_path, x=X, y=Y)
    with pytest.raises(DataError, match=r"holds mine\.npz, one\.npz"):
        Npz(tmp_path).listing()
    np.save(tmp_path / "single.npy", X)
    with pytest.raises(BadFileError, match="not a zip file"):
        Npz(tmp_path / "single.npy").listing()


def test_an_array_stored_column_by_column_is_read_whole(tmp_path):
    x = np.asfortranarray(X[..., 0])
    reader = Npz(saved(tmp_path, x=x, y=Y))
    assert (reader.read(4) == X[4, ..., 0]).all()


def test_images_are_read_one_by_one(tmp_path):
    """A hundred images of 4 MB unpack to 400; they lie in a file of 400 kB."""
    path = saved(tmp_path, x=np.zeros((100, 2048, 2048), np.uint8), y=np.arange(100) % 2)
    reader = Npz(path)
    with peak_memory() as peak:
        reader.listing()
        assert reader.read(99).shape == (2048, 2048)
    assert peak.bytes < 40 * 2**20


def test_images_larger_than_any_are_refused(tmp_path):
    path = saved(tmp_path, x=np.zeros((2, 20_000, 20_000), np.uint8), y=np.arange(2))
    with peak_memory() as peak, pytest.raises(BadFileError, match="claims rows of 400,000,000"):
        Npz(path).read(0)
    assert peak.bytes < 10 * 2**20


@pytest.mark.parametrize("kind", [np.int64, np.uint16, np.float32, np.float64])
def test_bytes_in_another_type_are_read_as_bytes(tmp_path, kind):
    reader = Npz(saved(tmp_path, x=X.astype(kind), y=Y))
    assert reader.listing().notes == (
        f"`x` is {np.dtype(kind)} with whole numbers of 0..255: read as bytes",
    )
    image = reader.read(3)
    assert image.dtype == np.uint8
    assert (image == X[3]).all()


@pytest.mark.parametrize(
    ("value", "why"),
    [(0.5, "no whole number"), (256, "too high"), (-1, "too low"), (np.inf, "no number")],
)
def test_one_other_number_anywhere_leaves_the_choice_to_the_user(tmp_path, value, why):
    x = X.astype(np.float32)
    x[5, 2, 2, 2] = value
    reader = Npz(saved(tmp_path, x=x, y=Y))
    assert reader.listing().notes == ()
    with pytest.raises(DataError, match="float32 pixels from"):
        reader.read(0)


@pytest.mark.parametrize("kind", [np.int64, np.float32])
def test_zeros_and_ones_may_be_black_and_white(tmp_path, kind):
    with pytest.raises(DataError, match="from 0 to 1; say how"):
        Npz(saved(tmp_path, x=(X > 99).astype(kind), y=Y)).read(0)


def test_a_window_applies_to_any_pixels(tmp_path):
    for x in (X, X.astype(np.int16)):
        reader = Npz(saved(tmp_path, x=x, y=Y), window=[100, 20])
        assert reader.listing().notes == ()
        image = reader.read(2)
        assert (image[X[2] <= 90] == 0).all()
        assert (image[X[2] >= 110] == 255).all()
    with pytest.raises(DataError, match=r"data\.reader\.window=\[40\]: give"):
        Npz(tmp_path, window=[40])


def test_a_scale_that_does_nothing_is_noted(tmp_path):
    reader = Npz(saved(tmp_path, x=X, y=Y), scale="max")
    assert reader.listing().notes == ("`x` is uint8, which data.reader.scale=max keeps as it is",)
    assert (reader.read(1) == X[1]).all()


def test_signed_integers_of_scale_type_are_a_new_rule(tmp_path):
    for kind, rules in ((np.int16, 1), (np.uint16, 0)):
        path = saved(tmp_path, x=X.astype(kind) * 100, y=Y)
        assert len(Npz(path, scale="type").listing().rules) == rules
        assert Npz(path, scale="max").listing().rules == ()


def test_negative_labels_are_no_positions_in_the_names(tmp_path):
    listing = Npz(saved(tmp_path, x=X, y=Y - 1, classes=["ill", "well"])).listing()
    assert listing.classes == ("-1", "1")
    assert listing.notes == (
        "labels from -1 to 1 are no positions in the 2 names of `classes`, so classes are named by "
        "their numbers",
    )


def test_labels_of_bytes_are_text(tmp_path):
    listing = Npz(saved(tmp_path, x=X, y=np.array([b"b", b"a"] * 3))).listing()
    assert listing.classes == ("a", "b")
    assert listing.labels.tolist() == [1, 0] * 3
    named = Npz(saved(tmp_path, x=X, y=Y, classes=np.array([b"u", b"v", b"w"]))).listing()
    assert named.classes == ("u", "w")


def test_labels_of_objects_say_how_to_write_them(tmp_path):
    y = np.array(["cat", "dog"] * 3, object)
    with pytest.raises(BadFileError, match=r"holds object.*y=labels\.astype\(str\)"):
        Npz(saved(tmp_path, x=X, y=y)).listing()


def test_floats_of_0_to_1_and_negative_ones_get_the_advice_that_keeps_them(tmp_path):
    with pytest.raises(DataError, match="scale=type for floats in 0..1 as they are"):
        Npz(saved(tmp_path, x=X / np.float32(255), y=Y)).read(0)
    with pytest.raises(DataError, match=r"scale=minmax\|percentile, or data.reader.window"):
        Npz(saved(tmp_path, x=X / np.float32(127.5) - 1, y=Y)).read(0)


@pytest.mark.parametrize("names", [("train_images", "train_labels"), ("x_train", "y_train")])
def test_a_file_of_several_splits_says_how_to_read_it(tmp_path, names):
    path = saved(tmp_path, **dict(zip(names, (X, Y), strict=True)), test_images=X, test_labels=Y)
    with pytest.raises(BadFileError, match=r"(?s)data=medmnist data.flag.*is_test="):
        Npz(path).listing()
    with pytest.raises(BadFileError, match="has no array `x`"):  # before any image is read
        Npz(saved(tmp_path, images=X, y=Y)).listing()


def test_labels_of_bytes_of_windows_stay_apart(tmp_path):
    labels = np.array([name.encode("cp1252") for name in ("Kröte", "Kräte")] * 3)
    assert Npz(saved(tmp_path, x=X, y=labels)).listing().classes == ("Kräte", "Kröte")
    with pytest.raises(DataError, match=r"`y` cannot be read .*astype\(str\)"):
        Npz(saved(tmp_path, x=X, y=np.array([b"\x81", b"a"] * 3))).listing()


def test_nan_among_bytes_is_padding_and_counted(tmp_path):
    x = X.astype(np.float32)
    x[2, 1] = np.nan
    reader = Npz(saved(tmp_path, x=x, y=Y))
    listing = reader.listing()
    assert listing.rules == ()  # before, such a file was refused
    assert Npz(reader.root, scale="minmax").listing().rules == ("NaN is padding",)
    assert "whole numbers of 0..255" in listing.notes[0]
    assert (reader.read(2)[1] == 0).all()
    np.testing.assert_array_equal(reader.read(0), np.squeeze(X[0]))
    assert reader.nan_pixels() == (1, x[2, 1].size)


def test_nan_among_labels_is_the_reason(tmp_path):
    with pytest.raises(DataError, match=r"its labels `y` have 1 NaN among 6 values"):
        Npz(saved(tmp_path, x=X, y=np.array([0, 1, 0, 1, 0, np.nan]))).listing()


def test_different_numbers_of_images_and_labels_are_one_error(tmp_path):
    reader = Npz(saved(tmp_path, x=X, y=Y[:-1]))
    with pytest.raises(DataError, match=r"`x` has 6 images and `y` 5 labels"):
        reader.listing()


@pytest.mark.parametrize(
    ("names", "x", "y"),
    [(("images", "labels"), "images", "labels"), (("data", "label", "patient"), "data", "label")],
)
def test_arrays_of_other_names_are_suggested_by_their_shape(tmp_path, names, x, y):
    arrays = dict(zip(names, (X, Y, np.array(list("uvwuvw"))), strict=False))
    path = saved(tmp_path, **arrays)
    hint = rf"data\.reader\.x={x} data\.reader\.y={y}\."
    with pytest.raises(DataError, match=hint):
        Npz(path).listing()
    with pytest.raises(DataError, match=rf"has no array `y` .*data\.reader\.y={y}\."):
        Npz(path, x=x).listing()


def test_the_set_is_named_by_its_file(tmp_path):
    data = ImageData(
        name="npz", reader=Npz, root=str(saved(tmp_path, x=X, y=Y)), task=All(), n=2, test_n=3,
        seed=0, batch_size=2, size=4, split="image", cache=tmp_path / "c",
    ).module()  # fmt: skip
    data.setup()
    assert (data.spec.name, data.spec.title) == ("npz", "mine")


@pytest.mark.parametrize(
    ("arrays", "way_out"),
    [
        ({"x": X, "y": np.eye(3)[Y]}, r"One-hot labels: write y=labels\.argmax\(axis=1\)\.$"),
        ({"x": X, "y": np.ones((6, 4), int)}, r"Several labels per image: .* y=labels\[:, 0\]\.$"),
        ({"x": X, "y": Y + 0.5}, r"Fractions: write classes, .* y=labels\.astype\(str\)\.$"),
        (
            {"x": np.concatenate([X, X[..., :1]], axis=3), "y": Y},
            r"without alpha x=images\[\.\.\., :3\], or",
        ),
    ],
)
def test_arrays_of_another_form_say_how_to_write_them(tmp_path, arrays, way_out):
    reader = Npz(saved(tmp_path, **arrays))
    with pytest.raises(BadFileError, match=way_out):
        reader.listing()
        reader.read(0)


def test_an_array_of_patients_that_is_not_used_is_noted(tmp_path):
    path = saved(tmp_path, x=X, y=Y, patient_id=np.arange(6) // 2, age=np.arange(6))
    (note,) = Npz(path).listing().notes
    assert "data.reader.group=patient_id keeps images of the same value" in note
    assert Npz(path, group="patient_id").listing().notes == ()
    others = {"case": np.arange(6), "patient_age": np.arange(6) // 2, "lesion": np.arange(6) // 3}
    assert Npz(saved(tmp_path, x=X, y=Y, **others)).listing().notes == ()
