"""Whole sweeps killed again and again: after every kill the records and tables are whole."""

import csv
import json
import random
import time

import pytest

from analysis.records import read_runs
from tests.launch.test_survival import LONG, assert_same_run

SWEEP = ("-m", *LONG, "epochs=150", "seed=0,1,2,3")
KILLS = 50


def check(runs):
    """What anyone may read at any moment."""
    for folder in (path for path in runs.iterdir() if path.is_dir()):
        if not (folder / "record.json").exists():
            continue  # killed before it began
        record = json.loads((folder / "record.json").read_text())
        assert record["status"] in ("running", "done")
        if (folder / "metrics.csv").exists():
            with (folder / "metrics.csv").open() as file:
                rows = list(csv.reader(file))
            assert rows[0] == ["epoch", "step", "name", "value"]
            assert len({(row[0], row[2]) for row in rows}) == len(rows)
    if list(runs.glob("*/record.json")):
        assert read_runs([runs]).broken.empty


@pytest.mark.slow
def test_fifty_kills_of_a_sweep_change_nothing(launch, tmp_path):
    dice = random.Random(0)
    runs = tmp_path / "runs" / "killed"
    kills = 0
    while kills < KILLS:
        process = launch.start(*SWEEP, "name=killed", small=False)
        pause = dice.uniform(0, 6) if kills % 5 == 4 else None  # while it starts
        before = len(list(runs.glob("*/checkpoints/*"))), time.monotonic()
        while process.poll() is None and pause is None:  # until it trains
            if time.monotonic() - before[1] > 1 and newest(runs) > before[1] - 0.5:
                pause = dice.uniform(0, 0.5)
            time.sleep(0.02)
        time.sleep(pause or 0)
        if process.poll() is not None:  # finished: the siege goes on with the sweep made anew
            assert process.returncode == 0
            for folder in runs.iterdir():
                (folder / "record.json").unlink(missing_ok=True)
                for path in (folder / "checkpoints").glob("*"):
                    path.unlink()
            continue
        process.kill()
        process.wait()
        kills += 1
        check(runs)
    assert launch(*SWEEP, "name=killed", small=False) == 0
    assert launch(*SWEEP, "name=whole", small=False) == 0
    pairs = zip(launch.runs("killed"), launch.runs("whole"), strict=True)
    for killed, whole in pairs:
        assert_same_run(killed, whole)
    assert sum(len(run.read()["sessions"]) for run in launch.runs("killed")) > 10


def newest(runs):
    """When the newest checkpoint was written, on the monotonic clock."""
    ages = [time.time() - path.stat().st_mtime for path in runs.glob("*/checkpoints/last.ckpt")]
    return time.monotonic() - min(ages, default=10**6)


@pytest.mark.slow
def test_parallel_launches_of_overlapping_grids_train_every_run_once(launch):
    grids = ("seed=0,1,2,3", "seed=2,3,4,5", "seed=1,3,5")
    processes = [launch.start("-m", grid, "epochs=20") for grid in grids]
    outputs = [process.communicate(timeout=600)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], outputs
    assert len(launch.runs()) == 6
    assert [len(run.read()["sessions"]) for run in launch.runs()] == [1] * 6
    assert {run.read()["status"] for run in launch.runs()} == {"done"}
