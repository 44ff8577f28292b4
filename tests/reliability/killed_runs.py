"""Commands that are killed at a point of their choice, and what they leave."""

import csv
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from records.run_folder import RunFolder
from tests.conftest import ROOT
from tests.launch.test_wandb import logged

SMALL = (
    *("logger=csv", "model=mlp", "model.network.widths=[8]", "n=30", "data.test_n=20", "epochs=2"),
    *("checkpoint_seconds=0", "optimizer=sgd", "probes.models=2", "probes.points=4"),
)


@dataclass(frozen=True)
class SetUp:
    """A command, what there is before it, and the command that is given after the kill."""

    words: tuple[str, ...]
    before: tuple["SetUp", ...] = ()  # commands that run to their ends first
    kill_only: tuple[str, ...] = ()  # words of the killed command alone
    fails: bool = False  # whether the FGSM probe fails
    code: int = 0  # of the command when nothing happens
    every: int = 1  # points apart


class Server:
    """`kill_server` in a process of its own.

    Args:
        folder: for the library and for logs.
    """

    def __init__(self, folder: Path) -> None:
        library = folder / "kill_points.so"
        source = Path(__file__).with_name("kill_points.c")
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True
        )
        environment = {"LD_PRELOAD": str(library), "WANDB_MODE": "offline", "OMP_NUM_THREADS": "1"}
        self.log = folder / "command.log"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.reliability.kill_server"],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def launch(self, home: Path, set_up: SetUp, kill_at: int = 0) -> tuple[int, int]:
        """Exit code and number of points of a command; -9 where it was killed."""
        words = [*SMALL, *set_up.words, *(set_up.kill_only if kill_at else ())]
        request = {
            "words": [*words, f"paths.runs={home}/runs", f"paths.cache={home}/cache"],
            "home": str(home),
            "log": str(self.log),
            "fail": set_up.fails,
            "kill_at": kill_at,
        }
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return answer["code"], answer["points"]

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


@dataclass(frozen=True)
class Left:
    """What a command leaves in the folders of its runs, times apart."""

    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    rows: dict[str, list[list[str]]] = field(default_factory=dict)
    arrays: dict[str, list[Any]] = field(default_factory=dict)
    figures: list[str] = field(default_factory=list)
    wandb: dict[str, dict[tuple[int, str], list[float]]] = field(default_factory=dict)

    @classmethod
    def of(cls, home: Path) -> "Left":
        left = cls()
        for path in sorted(home.glob("runs/*/*/record.json")):
            folder, key = RunFolder(path.parent), path.parent.name
            record = folder.read() or {}
            names = ("status", "settings", "notes", "failed_measurements", "spec", "error")
            names = (*names, "tested")
            left.records[key] = {name: record.get(name) for name in names}
            left.records[key]["scalars"] = _timeless(record["scalars"])
            with folder.metrics_file.open() as file:
                rows = list(csv.reader(file))
            left.rows[key] = sorted(row for row in rows if not row[2].startswith("time/"))
            for file_of in sorted(folder.arrays.glob("*")):
                with np.load(file_of) as content:
                    left.arrays[f"{key}/{file_of.name}"] = [content[n].tolist() for n in content]
            left.figures.extend(f"{key}/{one.name}" for one in sorted(folder.figures.glob("*")))
            if (folder.path / "wandb").exists():
                left.wandb[key] = logged(folder)
        return left


def _timeless(scalars: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in scalars.items() if not name.startswith("time/")}


def leftovers(home: Path) -> list[Path]:
    """Files that are halves of something."""
    return [path for end in ("tmp", "scratch") for path in home.rglob(f"*.{end}")]


def copied(template: Path, home: Path) -> Path:
    """A new home with the content of a template."""
    shutil.copytree(template, home, symlinks=True)
    return home
