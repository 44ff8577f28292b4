import pytest

from datamodules.errors import BadFileError
from datamodules.formats.locate import existing, find, folders


def test_find_goes_through_nested_folders_and_ignores_case(tmp_path):
    inner = tmp_path / "archive" / "rsna" / "Stage_2_Train"
    inner.mkdir(parents=True)
    assert find(tmp_path, "stage_2_train") == inner
    assert find(tmp_path, "stage_2_train", depth=1) is None
    assert find(tmp_path / "nowhere", "x") is None


def test_folders_survive_links_in_circles_and_skip_hidden_twins(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.png").touch()
    (tmp_path / "a" / "._1.png").touch()
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    found = [(folder.name, files) for folder, _, files in folders(tmp_path)]
    assert found == [(tmp_path.name, []), ("a", ["1.png"])]
    assert list(folders(tmp_path / "nowhere")) == []


def test_upper_case_endings_are_found(tmp_path):
    (tmp_path / "X.JPG").touch()
    assert existing(tmp_path / "x.jpg") == tmp_path / "X.JPG"
    with pytest.raises(BadFileError, match=r"y\.jpg"):
        existing(tmp_path / "y.jpg")
