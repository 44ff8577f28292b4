"""Checkpoints are judged by their bytes before torch loads them."""

import zipfile

import pytest
import torch

from records.checkpoints import is_whole


@pytest.fixture
def checkpoint(tmp_path):
    torch.save({"state_dict": {"w": torch.arange(100.0)}}, tmp_path / "last.ckpt")
    return tmp_path / "last.ckpt"


def test_what_torch_wrote_is_whole(checkpoint):
    assert is_whole(checkpoint)


def test_a_packed_checkpoint_is_none_of_ours(checkpoint, tmp_path):
    """Its members would be unpacked by torch: 4 GB from 4 MB."""
    packed = tmp_path / "packed.ckpt"
    with zipfile.ZipFile(checkpoint) as good, zipfile.ZipFile(packed, "w", 8) as bad:
        for member in good.infolist():
            bad.writestr(member.filename, good.read(member))
    assert not is_whole(packed)


def test_members_that_share_their_bytes_are_refused(checkpoint):
    """An archive may list one member a thousand times."""
    with zipfile.ZipFile(checkpoint, "a") as archive:
        largest = max(archive.infolist(), key=lambda member: member.file_size)
        archive.filelist += [largest] * 100
        archive._didModify = True
    assert not is_whole(checkpoint)
