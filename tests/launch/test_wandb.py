"""W&B shows the same numbers as the record, under the run's key."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from conf.plan import plan
from launchers import in_process
from tests.launch.test_survival import interrupted


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
    assert f"wandb sync {launch.home}/runs/default/*/wandb/offline-run-*" in launch.output
    for run in launch.runs():
        (folder,) = run.path.glob("wandb/offline-run-*")
        assert folder.name.endswith(run.path.name)  # the W&B id is the key
        (file,) = folder.glob("*.wandb")
        text = json.dumps(read_back(file))
        for name in ("test/accuracy", "train/loss", "train/running_loss"):
            assert name in text
        assert repr(run.read()["scalars"]["test/loss"])[:10] in text


def test_its_service_is_started_early_for_runs_that_log_to_it(launch, monkeypatch):
    started = []
    monkeypatch.setattr(in_process, "start_wandb_service", lambda: started.append(True))
    monkeypatch.setenv("WANDB_MODE", "disabled")
    for logger in ("csv", "wandb"):
        assert launch(f"logger={logger}", f"name={logger}", "epochs=1", "callbacks=none") == 0
        assert bool(started) == (logger == "wandb")


def test_its_service_is_not_started_for_ranks_that_log_nothing(monkeypatch):
    started = []
    monkeypatch.setattr(in_process, "start_wandb_service", lambda: started.append(True))
    monkeypatch.setattr(in_process, "run_one", lambda *_, **__: None)
    for rank in ("0", "1"):
        monkeypatch.setenv("RANK", rank)
        in_process.run_in_turn(plan(["logger=wandb"]).runs)
        assert started == [True]


def test_an_unreachable_server_leaves_an_offline_run(launch, monkeypatch):
    monkeypatch.delenv("WANDB_MODE", raising=False)
    monkeypatch.setenv("WANDB_API_KEY", "a" * 40)
    monkeypatch.setenv("WANDB_BASE_URL", "http://127.0.0.1:9")
    assert launch("logger=wandb", "epochs=1") == 0
    assert "kept offline" in launch.output
    assert list(launch.run().path.glob("wandb/offline-run-*"))


def logged(run) -> dict[tuple[int, str], list[float]]:
    """What `wandb sync` would send: the values of every number by epoch; times are left out."""
    found: dict[tuple[int, str], list[float]] = {}
    for file in run.path.glob("wandb/offline-run-*/*.wandb"):
        for entry in read_back(file):
            row = entry["history"]["item"] if entry["type"] == "history" else {}
            for name, value in row.items():
                is_picture = f"{name.partition('.')[0]}._type" in row
                if name.startswith(("train/", "test/", "data/", "geometry/")) and not is_picture:
                    found.setdefault((row["epoch"], name), []).append(value)
    return found


@pytest.mark.parametrize("harm", ["whole", "cut"])
def test_a_resumed_run_has_every_epoch_in_wandb_once(launch, monkeypatch, harm):
    """Also where the killed session left a file of 7 bytes."""
    monkeypatch.setenv("WANDB_MODE", "offline")
    more = ("logger=wandb", "callbacks=economy", "epochs=5", "checkpoint_seconds=0")
    assert launch(*more, "name=whole") == 0
    interrupted(launch, monkeypatch, *more)
    (file,) = launch.run().path.glob("wandb/offline-run-*/*.wandb")
    if harm == "cut":
        file.write_bytes(file.read_bytes()[:7])
    assert launch(*more) == 0
    resumed, whole = logged(launch.run()), logged(launch.run("whole"))
    assert {epoch for epoch, _ in whole} == set(range(6))
    assert resumed == whole
    assert all(len(values) == 1 for values in resumed.values())
    assert list(launch.run().path.glob("wandb/superseded/offline-run-*"))
    pictures = list(launch.run().path.glob("wandb/offline-run-*/files/media/images/**/*.png"))
    assert any("closest_pair" in str(path) for path in pictures)


def test_an_offline_run_holds_curves_over_epochs_histograms_and_the_final_numbers(
    launch, monkeypatch
):
    """A curve is of the same images throughout; the summary has the numbers on all of them."""
    monkeypatch.setenv("WANDB_MODE", "offline")
    few = ("probes.images=40", "callbacks.fgsm_penalty.along=8", "probes.models=16")
    assert launch("logger=wandb", "callbacks=full", "epochs=2", *few) == 0
    found = logged(launch.run())
    curves = ("test/loss", "train/d_repr_mle/penultimate", "test/fgsm_loss_penalty@2")
    for name in (*curves, "test/log_spectrum_mean"):
        assert [found[epoch, name] for epoch in range(3)] == [[found[e, name][0]] for e in range(3)]
    assert [epoch for epoch, name in found if name == "geometry/velocity"] == [1, 2]
    (file,) = launch.run().path.glob("wandb/offline-run-*/*.wandb")
    entries = read_back(file)
    steps = [e["metric"] for e in entries if e["type"] == "metric"]
    assert "epoch" in json.dumps(steps)
    rows = [e["history"]["item"] for e in entries if e["type"] == "history"]
    spectra = [row["epoch"] for row in rows if row.get("test/log_spectrum._type") == "histogram"]
    assert spectra == [0, 1, 2]
    summary: dict[str, object] = {}
    for entry in entries:
        summary |= entry["summary"].get("update", {}) if entry["type"] == "summary" else {}
    final = launch.run().read()["scalars"]
    for name in curves:
        assert summary[name] == pytest.approx(final[name])
        assert found[2, name] != [final[name]]
