"""Whole sweeps killed again and again: after every kill the records and tables are whole."""

import contextlib
import csv
import json
import random
import shutil
import time

import pytest

from analysis.runs.records import read_runs
from records.curves import COLUMNS
from tests.launch.test_survival import LONG, assert_same_run

SWEEP = ("-m", *LONG, "epochs=40", "seed=0,1,2,3")
KILLS = 50


def check(runs):
    """What anyone may read at any moment."""
    for folder in runs.glob("*/"):
        if not (folder / "record.json").exists():
            continue  # killed before it began
        record = json.loads((folder / "record.json").read_text())
        assert record["status"] in ("running", "done")
        if (folder / "metrics.csv").exists():
            with (folder / "metrics.csv").open() as file:
                rows = list(csv.reader(file))
            assert rows[0] == list(COLUMNS)
            assert len({(epoch, name, images) for epoch, _, name, _, images in rows}) == len(rows)
    if list(runs.glob("*/record.json")):  # the table of all of them
        assert read_runs([runs]).broken.empty


@pytest.mark.slow
def test_fifty_kills_of_a_sweep_change_nothing(launch, tmp_path):
    dice = random.Random(0)
    runs = tmp_path / "runs" / "killed"
    kills = 0
    while kills < KILLS:
        started = time.time()
        process = launch.start(*SWEEP, "name=killed", small=False)
        if kills % 5 == 4:
            time.sleep(dice.uniform(0, 5))  # while it starts
        else:
            while process.poll() is None and newest(runs) < started:
                time.sleep(0.01)
            time.sleep(dice.uniform(0, 0.5))  # while it trains
        if process.poll() is not None:  # finished: the sweep starts again
            assert process.returncode == 0, process.communicate()[0]
            shutil.rmtree(runs)
            continue
        process.kill()
        process.wait()
        kills += 1
        check(runs)
    assert launch(*SWEEP, "name=killed", small=False) == 0
    assert launch(*SWEEP, "name=whole", small=False) == 0
    for killed, whole in zip(launch.runs("killed"), launch.runs("whole"), strict=True):
        assert_same_run(killed, whole)
    assert sum(len(run.read()["sessions"]) for run in launch.runs("killed")) > 4


def newest(runs):
    """When the newest checkpoint was written; it may be replaced while we look."""
    times = [0.0]
    for path in runs.glob("*/checkpoints/last.ckpt"):
        with contextlib.suppress(FileNotFoundError):
            times.append(path.stat().st_mtime)
    return max(times)


@pytest.mark.slow
def test_parallel_launches_of_overlapping_grids_train_every_run_once(launch):
    grids = ("seed=0,1,2,3", "seed=2,3,4,5", "seed=1,3,5")
    processes = [launch.start("-m", grid, "epochs=20") for grid in grids]
    outputs = [process.communicate(timeout=600)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], outputs
    assert len(launch.runs()) == 6
    assert [len(run.read()["sessions"]) for run in launch.runs()] == [1] * 6
    assert {run.read()["status"] for run in launch.runs()} == {"done"}
