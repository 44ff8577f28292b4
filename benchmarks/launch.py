"""Training through `launch.py` against a plain torch loop over the same tensors.

Both train LeNet on the same 1,750 images with the same optimiser and batch size. Ours is the whole
`trainer.fit`: Lightning's loop, logging to the run folder and to W&B (offline), checkpoints.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import harness
from benchmarks.harness import Row, child, planned_run
from benchmarks.training import plain_loop, through_fit
from datamodules.build import build_data

EPOCHS = 10


def command_seconds(*command: str) -> float:
    """Wall time of a Python process; CPU time with `--cpu-time`."""
    start = time.perf_counter()
    _, cpu_seconds = child(*command)
    return cpu_seconds if harness.clock is time.process_time else time.perf_counter() - start


def starts(folder: Path) -> Iterator[Row]:
    """Whole commands against the two imports which every training needs."""
    imports = min(command_seconds("-c", "import torch, pytorch_lightning") for _ in range(3))
    places = [f"paths.{name}={folder}/{name}" for name in ("runs", "cache")]
    short = ["launch.py", *places, "epochs=1", "callbacks=none"]
    whole = ["launch.py", *places]
    again = ["launch.py", places[1], f"paths.runs={folder}/again"]
    for title, command, goal, note in (
        ("start and end of a run", short, 1 / 1.5, "one epoch, nothing measured; W&B offline"),
        ("relaunch of a finished run", short, None, "found before torch is imported"),
        ("`python launch.py`", whole, 1 / 1.5, "20 epochs, all probes, six figures, G_F"),
        ("the same, G_F cached", again, 1 / 1.5, "another folder of runs, the same cache"),
    ):
        taken = command_seconds(*command)
        yield Row(title, taken, "importing torch and Lightning", imports, goal=goal, note=note)


def run(repeats: int = 5) -> Iterator[Row]:
    """The overhead of the loop and of starting."""
    os.environ["WANDB_MODE"] = "offline"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = ["data=mnist", "standin=true", "task=all", "n=1750", "callbacks=none"]
        words += ["data.size=32", f"epochs={EPOCHS}", f"paths.cache={folder}/cache"]
        job = planned_run(*words)
        data = build_data(job.config)
        ours, plain = [], []
        for number in range(repeats):
            plain.append(sum(plain_loop(job, data)[0]))
            ours.append(through_fit(job, data, folder / str(number))[0])
        best = min(ours), min(plain)
        yield Row(
            f"LeNet, n=1750, batch 128, {EPOCHS} epochs",
            best[0],
            "plain torch loop",
            best[1],
            goal=1 / 1.15,
            note=f"overhead {best[0] / best[1]:.2f}x (best of {repeats}); W&B and CSV logging on",
        )
        yield from starts(folder / "starts")
