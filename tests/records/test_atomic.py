import pytest

from records.atomic import replacing, write_text


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "a.json"
    write_text(target, "old")
    with pytest.raises(OSError, match="no space"), replacing(target) as temporary:
        temporary.write_text("half of the ne")
        raise OSError("no space left on device")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
