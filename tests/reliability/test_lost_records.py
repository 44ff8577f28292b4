"""A run folder that is removed, moved or damaged while its run goes on."""

import os
import shutil

import pytest

from callbacks.run_record import RunRecord
from callbacks.training_log import TrainingLog
from records.run_folder import RunFolder


def removed(folder):
    shutil.rmtree(folder.path)


def moved(folder):
    folder.path.rename(folder.path.with_name("elsewhere"))


def emptied(folder):
    folder.record_file.write_text("")


def without_settings(folder):
    folder.record_file.write_text('{"status": "running"}')


@pytest.mark.parametrize("harm", [removed, moved, emptied, without_settings])
def test_a_lost_record_fails_the_run_with_the_reason(launch, monkeypatch, harm, scalars):
    words = ("epochs=5", "checkpoint_seconds=0")
    assert launch(*words, "name=whole") == 0
    original = TrainingLog.on_train_epoch_start
    folder = RunFolder(launch.home / "runs" / "default" / launch.run("whole").path.name)

    def start(self, trainer, module):
        if trainer.current_epoch == 3:
            harm(folder)
        original(self, trainer, module)

    with monkeypatch.context() as patch:
        patch.setattr(TrainingLog, "on_train_epoch_start", start)
        assert launch(*words) == 1
    assert "was removed, moved or damaged during the run" in launch.output
    record = folder.read()
    assert record["status"] == "failed"
    assert record["settings"] == launch.run("whole").read()["settings"]
    assert (record["key"], len(record["sessions"])) == (folder.path.name, 1)
    assert launch(*words) == 0
    assert "starts from scratch" in launch.output
    assert scalars(folder) == scalars(launch.run("whole"))


def test_a_lost_record_ends_a_long_run_at_its_next_write(launch, monkeypatch):
    """Not at its end, which may be days away."""
    epochs = []
    monkeypatch.setattr("callbacks.run_record.FLUSH_SECONDS", 0.0)
    original = RunRecord.log_metrics

    def log_metrics(self, metrics, step=None, images=None):
        epochs.append(metrics["epoch"])
        if len(epochs) == 3:
            removed(self.folder)
        original(self, metrics, step, images)

    monkeypatch.setattr(RunRecord, "log_metrics", log_metrics)
    assert launch("epochs=9", "probes.schedule=end") == 1
    assert max(epochs) == 3


def test_killed_while_a_finished_run_is_cleared_it_never_stands_without_its_content(
    launch, monkeypatch, scalars
):
    """Killed before each removal in turn: done with everything, or nothing to skip or resume."""
    assert launch("checkpoint_seconds=0") == 0
    folder, expected = launch.run(), scalars(launch.run())
    copy = launch.home / "copy"
    shutil.copytree(folder.path, copy)
    kills = 0
    while kill_while_clearing(folder, monkeypatch, kills + 1):
        kills += 1
        if folder.read() is None:
            assert not folder.checkpoints.exists()
        else:
            assert folder.metrics_file.read_text() == (copy / "metrics.csv").read_text()
        shutil.rmtree(folder.path)
        shutil.copytree(copy, folder.path)
    # two checkpoints, their folder (renamed first), the record, metrics, a figure and its folder
    assert kills == 8
    kill_while_clearing(folder, monkeypatch, 8)
    assert launch() == 0
    assert scalars(launch.run()) == expected


def kill_while_clearing(folder, monkeypatch, number):
    """Whether clearing came as far as the given removal."""
    with monkeypatch.context() as patch:
        kill_at(patch, number)
        try:
            folder.clear()
        except KeyboardInterrupt:
            return True
    return False


def kill_at(patch, number):
    """End at the given removal, counted over files and folders."""
    counts = [0]

    def killed(original):
        def call(*arguments, **options):
            counts[0] += 1
            if counts[0] == number:
                raise KeyboardInterrupt
            return original(*arguments, **options)

        return call

    for name in ("unlink", "rmdir", "rename"):
        patch.setattr(os, name, killed(getattr(os, name)))
