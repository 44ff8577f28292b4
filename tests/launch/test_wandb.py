"""W&B shows the same numbers as the record, under the run's key."""

import json
import subprocess
import sys
from pathlib import Path


def read_back(path: Path) -> list[dict]:
    """The run's history, through W&B's own reader."""
    wandb = Path(sys.executable).with_name("wandb")
    done = subprocess.run(
        [str(wandb), "leet", "inspect", "--json", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.strip()]


def test_two_offline_jobs_are_two_runs_with_the_record_s_numbers(launch, monkeypatch):
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    monkeypatch.setenv("WANDB_MODE", "offline")
    assert launch("-m", "logger=wandb", "seed=0,1") == 0
    for run in launch.runs():
        (folder,) = run.path.glob("wandb/offline-run-*")
        assert folder.name.endswith(run.path.name)  # the W&B id is the key
        (file,) = folder.glob("*.wandb")
        text = json.dumps(read_back(file))
        for name in ("test/accuracy", "train/loss", "train/running_loss"):
            assert name in text
        assert repr(run.read()["scalars"]["test/loss"])[:10] in text


def test_an_unreachable_server_leaves_an_offline_run(launch, monkeypatch):
    monkeypatch.delenv("WANDB_MODE", raising=False)
    monkeypatch.setenv("WANDB_API_KEY", "a" * 40)
    monkeypatch.setenv("WANDB_BASE_URL", "http://127.0.0.1:9")
    assert launch("logger=wandb", "epochs=1") == 0
    assert "kept offline" in launch.output
    assert list(launch.run().path.glob("wandb/offline-run-*"))
