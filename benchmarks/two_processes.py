"""Training on two processes of one thread against one, and against one process of two threads.

Wall time of training, as the run records it, without the first epoch: of `python launch.py`
with `trainer=ddp_cpu` and without. It needs two free cores; on a shared machine it means nothing.
"""

import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from benchmarks.harness import ROOT, Row

CASES = {  # overrides, images
    "LeNet": (["model=lenet", "batch_size=512"], 10000),
    "ViT": (["model=vit", "batch_size=64"], 640),
    "VGG-13": (["model=vgg13", "model.network.classifier=small", "batch_size=32"], 320),
    "ResNet-18": (["model=resnet18", "model.network.stem=small", "batch_size=32"], 160),
}
TWO = ["trainer=ddp_cpu", "threads=1"]


def epoch_seconds(folder: Path, overrides: list[str]) -> float:
    """Seconds of the fastest epoch after the first."""
    fixed = ["data=cifar10", "standin=true", "task=all", "data.size=32", "callbacks=none"]
    runs = Path(tempfile.mkdtemp(dir=folder))
    fixed += ["epochs=4", "logger=csv", f"paths.runs={runs}"]
    fixed += [f"paths.cache={folder}/cache", f"paths.data={folder}/data"]
    command = [sys.executable, str(ROOT / "launch.py"), *fixed, *overrides]
    free = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}
    subprocess.run(command, check=True, capture_output=True, env=free)
    (metrics,) = runs.glob("default/*/metrics.csv")
    with metrics.open() as file:
        times = [float(row["value"]) for row in csv.DictReader(file) if row["name"] == "time/train"]
    return min(after - before for before, after in pairwise(times))


def run() -> Iterator[Row]:
    """Two rows for each network."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for network, (overrides, n) in CASES.items():
            overrides = [*overrides, f"n={n}"]
            case = f"{network}, {n:,} images of 32 px, {overrides[-2]}"
            two = epoch_seconds(folder, [*overrides, *TWO])
            for threads in (1, 2):
                one = epoch_seconds(folder, [*overrides, f"threads={threads}"])
                peer = f"one process, {threads} thread{'s' * (threads > 1)}"
                goal = 1.6 if threads == 1 else None
                yield Row(case, two, peer, one, goal, f"{n / two:.0f} images/s on two")
