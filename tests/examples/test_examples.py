"""The examples, as people run them, and what they ought to find."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """As `python <path> <arguments>`, from another folder."""

    def main(path, *arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [str(path), *arguments])
        runpy.run_path(str(path), run_name="__main__")
        return capsys.readouterr().out

    return main


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_runs_anywhere_and_uses_metrics_alone(path, run):
    assert len(path.read_text().splitlines()) < 40
    rooms = ("callbacks", "datamodules", "lightning_modules", "records", "analysis", "conf")
    assert not [room for room in rooms if f"from {room}" in path.read_text()]
    assert run(path)


def test_the_difficulty_of_one_s_own_array(tmp_path, run):
    random = np.random.default_rng(0)
    x = (random.random((300, 2)) @ random.random((2, 25))).reshape(300, 5, 5)
    np.savez(tmp_path / "mine.npz", x=x, y=(x.mean((1, 2)) > x.mean()).astype(int))
    out = run(ROOT / "examples" / "dataset_difficulty.py", str(tmp_path / "mine.npz"))
    assert "300 images of 25 numbers" in out
    assert float(out.split("intrinsic dimension: ")[1].split()[0]) == pytest.approx(2, abs=0.3)
