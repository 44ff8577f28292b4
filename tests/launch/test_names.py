"""Names of files that are not UTF-8."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from analysis.__main__ import main as analyse
from records.printable import printable


@pytest.fixture
def images(tmp_path):
    """Two classes of noise in a folder, all named in Latin-1."""
    root = os.fsencode(tmp_path) + b"/r\xe9"
    draw = np.random.default_rng(0)
    for kind in (b"caf\xe9", b"th\xe8"):
        Path(os.fsdecode(root + b"/" + kind)).mkdir(parents=True)
        for i in range(40):
            path = os.fsdecode(root + b"/" + kind + b"/%d.png" % i)
            Image.fromarray(draw.integers(0, 255, (16, 16), dtype=np.uint8)).save(path)
    return os.fsdecode(root)


@pytest.mark.skipif(sys.platform == "darwin", reason="its file systems take UTF-8 alone")
def test_folders_that_are_not_utf8_are_measured_logged_and_reported(
    launch, images, monkeypatch, capsys
):
    monkeypatch.setenv("WANDB_MODE", "offline")
    words = ("data=image_folder", f"data.root={images}", "n=40", "data.size=16", "model=mlp")
    assert launch(*words, "callbacks=business", "logger=wandb") == 0, launch.output
    record = launch.run().read()
    assert record["spec"]["classes"] == ["caf\\xe9", "th\\xe8"]
    assert not record.get("failed_measurements")
    assert (launch.run().figures / "data_closest_pair.png").exists()
    launch.run().record_file.read_text().encode()  # no surrogate is in it
    assert analyse([str(launch.home / "runs")]) == 0
    assert (launch.home / "runs" / "report" / "report.html").exists()


def test_every_text_can_be_encoded():
    for text in ("caf\udce9", "\ud800", "a\udcffb\ud83d"):
        with pytest.raises(UnicodeEncodeError):
            text.encode()
        assert printable(text).encode().isascii()
    assert printable("é") == "é"
