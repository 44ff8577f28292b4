"""A small folder of one's own is noticed before torch is imported."""

import os
import subprocess
import sys

import pytest

from conf.plan import plan
from launchers.identify import identified
from records.provenance import ROOT

WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None  # importing it would fail
import launch
sys.exit(launch.main())
"""
LEFT = "n={} requested of `image_folder`, but 46 balanced training images are left beside 14 for"


@pytest.fixture
def folder(tmp_path):
    for name in ("cat", "dog"):
        (tmp_path / "mine" / name).mkdir(parents=True)
        for i in range(30):
            (tmp_path / "mine" / name / f"{i}.png").touch()
    return tmp_path / "mine"


@pytest.mark.parametrize("more", [(), ("model=none",)])
def test_more_images_than_files(launch, folder, monkeypatch, more):
    monkeypatch.setitem(sys.modules, "callbacks.build", None)  # importing it would fail
    assert launch("data=image_folder", f"data.root={folder}", "n=1000", *more) == 2
    assert LEFT.format(1000) in " ".join(launch.output.split())
    assert "use n=all or n<=46" in " ".join(launch.output.split())
    assert launch.runs() == []


@pytest.fixture
def table(folder):
    files = sorted(folder.glob("*/*.png"))
    rows = [f"{file.relative_to(folder)},{file.parent.name}" for file in files]
    (folder / "labels.csv").write_text("\n".join(["path,label", *rows]))
    return ["data=image_folder", f"data.root={folder}", "data.reader.labels=labels.csv"]


def test_more_images_than_a_table_of_labels_has(table, tmp_path):
    words = [*table, "n=1000", f"paths.runs={tmp_path}/runs", f"paths.cache={tmp_path}/cache"]
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "400"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2, ended.stderr
    assert LEFT.format(1000) in ended.stdout
    assert "use n=all or n<=46" in ended.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_fewer_files_than_asked_beside_the_test_set(launch, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "callbacks.build", None)
    assert launch("data=image_folder", f"data.root={folder}", "n=50", "data.test_n=null") == 2
    assert LEFT.format(50) in " ".join(launch.output.split())
    assert launch.runs() == []


@pytest.mark.parametrize("order", ["n=1000,10", "n=10,1000"])
def test_each_run_of_a_sweep_is_checked(table, tmp_path, order):
    planned = plan(["-m", *table, order, f"paths.cache={tmp_path}/cache"])
    runs = {run.plain["n"]: run for run in identified(planned).runs}
    assert runs[10].too_few == ""
    assert runs[10].data is not None
    assert runs[1000].too_few.startswith(LEFT.format(1000))
