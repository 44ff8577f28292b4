"""Reports: CPU seconds of `python -m analysis`, against importing its libraries and parsing.

The peer imports torch, pandas and matplotlib and parses every record and every metrics.csv, which
every report needs. The runs are copies of a real one with other names and numbers.
"""

import json
import os
import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import harness
from benchmarks.harness import Row, child

FLOOR = """
import json, pathlib, sys
import matplotlib.figure, pandas, torch
from records.curves import read_curves
for file in pathlib.Path(sys.argv[1]).glob("*/record.json"):
    json.loads(file.read_bytes())
    read_curves(file.with_name("metrics.csv"))
"""
TINY = ("model=mlp", "n=10", "data.test_n=10", "epochs=1", "callbacks=none")
PEER = "imports and parsing alone"


def copy_runs(run: Path, folder: Path, count: int) -> None:
    """A grid of two networks, two data sets, three n and as many seeds as it takes."""
    record = json.loads((run / "record.json").read_text())
    draw = random.Random(0)
    for place in range(count):
        model, data = ("lenet", "mlp")[place % 2], ("digits", "mnist")[place // 2 % 2]
        n, seed = (200, 500, 1000)[place // 4 % 3], place // 12
        key = f"{model}-{data}-n{n}-s{seed}-{place:08x}"
        settings = {**record["settings"], "n": n, "seed": seed}
        settings["model"] = {**settings["model"], "name": model}
        settings["data"] = {**settings["data"], "name": data}
        factor = draw.uniform(0.9, 1.1)  # one for all: intervals stay intervals
        numbers = {name: value and value * factor for name, value in record["scalars"].items()}
        own = folder / key
        own.mkdir(parents=True)
        copy = {**record, "key": key, "settings": settings, "scalars": numbers}
        (own / "record.json").write_text(json.dumps(copy, indent=1))
        shutil.copy(run / "metrics.csv", own)
        if (run / "arrays").is_dir():
            shutil.copytree(run / "arrays", own / "arrays", copy_function=os.link)


def run() -> Iterator[Row]:
    """44 runs with figures; 1,000 and 5,000 without, also again: unchanged runs are not parsed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = ["logger=csv", f"paths.runs={folder}/runs", f"paths.cache={folder}/cache"]
        for own in ((), (*TINY, "name=tiny")):
            child("launch.py", *own, *words)
        (full,), (tiny,) = (
            [file.parent for file in (folder / "runs" / one).glob("*/record.json")]
            for one in ("default", "tiny")
        )
        for source, count, goal in ((full, 44, 8.0), (tiny, 1000, 5.0), (tiny, 5000, 20.0)):
            place = folder / f"{count}"
            copy_runs(source, place, count)
            _, least = child("-c", FLOOR, str(place))
            for case in ("",) if source == full else (", first report", ", again"):
                start = time.perf_counter()
                memory, taken = child("-m", "analysis", str(place))
                wall = time.perf_counter() - start
                note = f"goal {goal:g} s of wall time on two free cores; {memory:.2f} GB"
                if harness.clock is time.perf_counter:  # wall times of a shared machine mislead
                    note = f"{wall:.1f} s of wall time; {note}"
                yield Row(f"{count:,} runs{case}", taken, PEER, least, None, note)
