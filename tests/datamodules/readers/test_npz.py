import numpy as np
import pytest

from datamodules.errors import BadFileError, DataError, DataNotFoundError
from datamodules.readers.npz import Npz
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


def test_floats_need_a_word(tmp_path):
    path = saved(tmp_path, x=X / 255, y=Y)
    with pytest.raises(DataError, match=r"float64 pixels from 0.* data\.reader\.scale=type\|max"):
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
