"""Killed, interrupted, raced, damaged, out of space: the numbers come out the same."""

import contextlib
import csv
import json
import random
import signal
import time

import pytest
import torch

LONG = (
    "callbacks=none",
    "logger=csv",
    "n=50",
    "checkpoint_seconds=0",
    "model=mlp",
    "optimizer=sgd",
)


def rows(folder):
    with folder.metrics_file.open() as file:
        return [row for row in csv.reader(file) if not row[2].startswith("time/")]


def weights(folder, name="last.ckpt"):
    return torch.load(folder.checkpoints / name, weights_only=True)["state_dict"]


def assert_same_run(one, other):
    assert one.read()["status"] == other.read()["status"] == "done"
    assert rows(one) == rows(other)
    files = sorted(path.name for path in one.checkpoints.glob("*.ckpt") if path.stem != "previous")
    for file in files:
        first, second = weights(one, file), weights(other, file)
        assert first.keys() == second.keys()
        assert all(torch.equal(first[name], second[name]) for name in first)
    assert one.read().get("tested") == other.read().get("tested")


def checkpoint_time(folder):
    """When the last checkpoint was written; None before the first."""
    with contextlib.suppress(FileNotFoundError):
        return (folder / "checkpoints" / "last.ckpt").stat().st_mtime_ns
    return None


def wait_for_progress(process, folder, before=None):
    """Until there is a checkpoint newer than `before`, or the process has ended."""
    while process.poll() is None and checkpoint_time(folder) in (None, before):
        time.sleep(0.01)


def test_kills_change_nothing(launch, tmp_path):
    """Six of them; `tests/reliability` has the long siege."""
    long = (*LONG, "epochs=150", "data.validation=0.2", "stop=early", "stop.patience=150")
    long = (*long, "select=best", "optimizer.lr=0.1")
    assert launch(*long, "name=whole", small=False) == 0
    whole = launch.run("whole")
    assert whole.read()["tested"]["network"] == "best"
    folder = tmp_path / "runs" / "killed" / whole.path.name
    dice = random.Random(0)
    for number in range(6):
        before = checkpoint_time(folder)
        process = launch.start(*long, "name=killed", small=False, pause=20 * (number + 1))
        if number == 2:
            time.sleep(dice.uniform(0, 3))  # while it starts
        else:
            wait_for_progress(process, folder, before)
            time.sleep(dice.uniform(0, 0.2))  # while it trains
        process.kill()
        process.wait()
    assert json.loads((folder / "record.json").read_text())["status"] == "running"
    assert launch(*long, "name=killed", small=False) == 0
    assert_same_run(launch.run("killed"), whole)
    assert len(launch.run("killed").read()["sessions"]) > 3


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_cleanly_and_the_same_command_goes_on(launch, tmp_path, number, code):
    long = (*LONG, "epochs=120")
    assert launch(*long, "name=whole", small=False) == 0
    whole = launch.run("whole")
    process = launch.start(*long, "name=stopped", small=False, pause=40)
    wait_for_progress(process, tmp_path / "runs" / "stopped" / whole.path.name)
    process.send_signal(number)
    output, _ = process.communicate(timeout=600)
    assert process.returncode == code
    assert "The same command resumes" in output
    assert "Traceback" not in output
    assert launch(*long, "name=stopped", small=False) == 0
    assert_same_run(launch.run("stopped"), whole)


def test_an_interrupted_run_prints_its_notes_once(launch, tmp_path):
    few = [word for word in LONG if word not in ("callbacks=none", "n=50")]
    words = (*few, "n=10", "epochs=120", "callbacks=dataset_properties", "name=noted")
    process = launch.start(*words, small=False, pause=40)
    while process.poll() is None and not list(tmp_path.glob("runs/noted/*/checkpoints/last.ckpt")):
        time.sleep(0.01)
    process.terminate()
    output, _ = process.communicate(timeout=600)
    assert output.count("data/d_mle not measured") == 1


def test_two_launches_of_one_run_make_one_record(launch):
    both = [launch.start("epochs=40", "checkpoint_seconds=0") for _ in range(2)]
    outputs = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert launch.run().read()["status"] == "done"
    assert len(launch.run().read()["sessions"]) == 1  # trained once, by one of them
    names = [row[2] for row in rows(launch.run())]
    assert names.count("train/running_loss") == 40
    assert any("held by process" in output or "1 done already" in output for output in outputs)


def interrupted(launch, monkeypatch, *overrides):
    """A run that ended with an error in its third epoch, its checkpoints in place."""
    from callbacks.training_log import TrainingLog

    original = TrainingLog.on_train_epoch_start

    def fail(self, trainer, module):
        if trainer.current_epoch == 3:
            raise RuntimeError("power cut")
        original(self, trainer, module)

    with monkeypatch.context() as patch:
        patch.setattr(TrainingLog, "on_train_epoch_start", fail)
        assert launch("epochs=5", "checkpoint_seconds=0", *overrides) == 1
    assert launch.run().read()["status"] == "failed"
    return launch.run()


def test_a_truncated_checkpoint_falls_back_to_the_one_before(launch, monkeypatch, scalars):
    launch("epochs=5", "name=whole")
    folder = interrupted(launch, monkeypatch)
    last = folder.checkpoints / "last.ckpt"
    last.write_bytes(last.read_bytes()[: last.stat().st_size // 2])
    assert launch("epochs=5") == 0
    assert "previous.ckpt" in launch.output
    assert scalars(launch.run()) == scalars(launch.run("whole"))


def test_no_whole_checkpoint_left_starts_anew_and_says_so(launch, monkeypatch, scalars):
    launch("epochs=5", "name=whole")
    folder = interrupted(launch, monkeypatch)
    for path in folder.checkpoints.glob("*.ckpt"):
        path.write_bytes(b"not a checkpoint")
    assert launch("epochs=5") == 0
    assert "starts from scratch: it has no usable checkpoint" in launch.output
    assert scalars(launch.run()) == scalars(launch.run("whole"))


def test_a_full_disk_while_saving_keeps_the_last_good_checkpoint(launch, monkeypatch, scalars):
    launch("epochs=5", "name=whole")
    saves = []
    original = torch.save

    def save(thing, path):
        saves.append(path)
        if len(saves) == 3:
            path.write_bytes(b"half")
            raise OSError(28, "No space left on device")
        original(thing, path)

    with monkeypatch.context() as patch:
        patch.setattr(torch, "save", save)
        assert launch("epochs=5", "checkpoint_seconds=0") == 1
    folder = launch.run()
    assert "No space left" in folder.read()["error"]
    assert sorted(p.name for p in folder.checkpoints.iterdir()) == ["last.ckpt", "previous.ckpt"]
    assert launch("epochs=5") == 0
    assert scalars(launch.run()) == scalars(launch.run("whole"))


def test_must_does_not_start_from_damaged_checkpoints(launch, monkeypatch):
    folder = interrupted(launch, monkeypatch)
    for path in folder.checkpoints.glob("*.ckpt"):
        path.write_bytes(b"not a checkpoint")
    assert launch("epochs=5", "resume=must") == 1


def test_a_disk_with_no_room_even_for_the_record_is_told(launch, monkeypatch):
    from records import run_folder

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run_folder, "write_text", full)
    assert launch() == 1
    assert "No space left on device" in launch.output


def test_a_checkpoint_cannot_run_code(launch, monkeypatch, tmp_path):
    folder = interrupted(launch, monkeypatch)

    class Evil:
        def __reduce__(self):
            return (open, (str(tmp_path / "owned"), "w"))

    for path in folder.checkpoints.glob("*.ckpt"):
        torch.save({"state_dict": Evil()}, path)
    assert launch("epochs=5") == 1
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize(
    "settings",
    [
        "model=simple_convnet model.network.width=4 schedule=linear optimizer=sgd",
        "model=small_alexnet schedule=one_cycle optimizer=nesterov",
        "model=lenet precision=bf16-mixed schedule=exponential",
    ],
)
def test_batch_norm_schedules_and_precision_resume_to_the_bit(
    launch, monkeypatch, settings, scalars
):
    more = (*settings.split(), "callbacks=evaluation", "n=50", "data.test_n=50")
    launch("epochs=5", "name=whole", *more)
    interrupted(launch, monkeypatch, *more)
    assert launch("epochs=5", *more) == 0
    assert_same_run(launch.run(), launch.run("whole"))


@pytest.mark.parametrize("stop", ["stop=fit", "stop=overfit stop.min_epochs=2 stop.accuracy=0.5"])
def test_a_run_that_stopped_early_stays_stopped(launch, monkeypatch, stop, scalars):
    long = ("n=50", "epochs=60", "model=mlp", "checkpoint_seconds=0", *stop.split())
    launch(*long, "name=whole")
    from callbacks import evaluation

    with monkeypatch.context() as patch:  # killed after the last checkpoint, before the record
        patch.setattr(evaluation.Evaluation, "on_test_end", lambda *_: 1 / 0)
        assert launch(*long) == 1
    assert launch(*long) == 0
    assert scalars(launch.run()) == scalars(launch.run("whole"))
