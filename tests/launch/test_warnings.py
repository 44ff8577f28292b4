"""Runs that are finished with something missing: said everywhere, and measured again."""

import csv
import shutil

import pytest

from analysis.commands import watch
from analysis.runs.records import read_runs
from callbacks.dataset_properties import DatasetProperties
from callbacks.evaluation import Evaluation
from callbacks.fgsm_penalty import FGSMPenalty
from callbacks.geometric_velocity import GeometricVelocity
from callbacks.training_log import TrainingLog
from tests.launch.test_survival import interrupted

PROBES = (
    "probes.models=4",
    "probes.points=8",
    "model=mlp",
    "n=60",
    "data.test_n=40",
)


def failing(probe, epochs):
    """A `measure` that finds no memory at some epochs."""
    original = probe.measure

    def measure(self, subject):
        if epochs is None or subject.epoch in epochs:
            raise MemoryError("no room for 19 GB")
        return original(self, subject)

    return measure


def rows(folder):
    with folder.metrics_file.open() as file:
        return sorted(row for row in csv.reader(file) if not row[2].startswith("time/"))


@pytest.mark.parametrize(
    ("probe", "callbacks"),
    [
        (DatasetProperties, "economy"),
        (FGSMPenalty, "fgsm_penalty"),
        (GeometricVelocity, "velocity"),
    ],
)
def test_the_same_command_measures_again_what_failed_without_training(
    launch, monkeypatch, probe, callbacks
):
    words = (*PROBES, f"callbacks={callbacks}")
    assert launch(*words, "name=whole") == 0
    with monkeypatch.context() as patch:
        patch.setattr(probe, "measure", failing(probe, {0, 2}))
        assert launch(*words) == 3
    record = launch.run().read()
    assert record["status"] == "done with warnings"
    assert "no room for 19 GB" in " ".join(record["notes"])
    assert rows(launch.run()) != rows(launch.run("whole"))

    with monkeypatch.context() as patch:
        patch.setattr(TrainingLog, "on_train_epoch_start", lambda *_: 1 / 0)  # no training
        assert launch(*words) == 0
    record = launch.run().read()
    assert record["status"] == "done"
    assert (record["notes"], record["failed_measurements"]) == ([], [])
    assert [one["resumed"] for one in record["sessions"]] == [False, True]
    expected = rows(launch.run("whole"))
    if probe is GeometricVelocity:  # the velocity of epoch 1 needs the geometry of epoch 0
        expected = [row for row in expected if (row[0], row[2]) != ("1", "geometry/velocity")]
    assert rows(launch.run()) == expected
    assert launch(*words) == 0
    assert "1 done already" in launch.output


def test_what_fails_again_stays_a_warning_and_the_numbers_stay(launch, monkeypatch, scalars):
    monkeypatch.setattr(Evaluation, "measure", failing(Evaluation, None))
    assert launch("probes.schedule=end") == 3
    before = scalars(launch.run())
    assert launch("probes.schedule=end") == 3
    assert scalars(launch.run()) == before
    assert len(launch.run().read()["failed_measurements"]) == 1
    assert len(launch.run().read()["notes"]) == 1
    assert "done with warnings" in launch.output


def test_data_that_are_gone_leave_a_finished_run_as_it_is(launch, monkeypatch, scalars):
    from datamodules.image_data import ImageModule

    with monkeypatch.context() as patch:
        patch.setattr(Evaluation, "measure", failing(Evaluation, None))
        assert launch() == 3
    before = launch.run().read()
    with monkeypatch.context() as patch:
        patch.setattr(ImageModule, "load", lambda *_: 1 / 0)
        assert launch() == 3
    assert "the failed measurements could not be repeated" in launch.output
    assert launch.run().read() == before


def test_a_network_in_the_middle_of_training_is_not_kept(launch, monkeypatch):
    words = (*PROBES, "callbacks=velocity")
    with monkeypatch.context() as patch:
        patch.setattr(GeometricVelocity, "measure", failing(GeometricVelocity, {1}))
        assert launch(*words) == 3
    assert launch(*words) == 3
    assert "1 measurement that failed during training cannot be repeated" in launch.output
    assert launch(*words, "resume=never") == 0


def test_a_finished_run_without_its_checkpoint_is_not_trained_again(launch, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Evaluation, "measure", failing(Evaluation, None))
        assert launch("probes.schedule=end") == 3
    folder = launch.run()
    shutil.rmtree(folder.checkpoints)
    before, numbers = folder.record_file.read_bytes(), folder.metrics_file.read_bytes()
    assert launch("probes.schedule=end") == 3
    assert "numbers are kept, and resume=never trains it again" in launch.output
    assert folder.record_file.read_bytes() == before
    assert folder.metrics_file.read_bytes() == numbers
    assert launch("probes.schedule=end", "resume=never") == 0


def test_data_without_a_network_are_measured_again_as_there_is_never_a_checkpoint(
    launch, monkeypatch
):
    words = ("model=none", "callbacks=economy")
    with monkeypatch.context() as patch:
        patch.setattr(DatasetProperties, "measure", failing(DatasetProperties, None))
        assert launch(*words) == 3
    assert launch(*words) == 0
    assert launch.run().read()["status"] == "done"


def test_a_run_whose_only_probe_failed_is_listed_with_a_warning_everywhere(
    launch, monkeypatch, capsys
):
    monkeypatch.setattr(DatasetProperties, "measure", failing(DatasetProperties, None))
    assert launch("model=none", "callbacks=economy") == 3
    assert "done with warnings" in launch.output
    assert launch("-m", "model=none", "callbacks=economy", "seed=0,1") == 3
    assert launch.output.count("│ done with warnings") == 2
    assert "2 runs done with warnings" in launch.output
    runs = launch.home / "runs"
    assert watch.main(["--once", str(runs)]) == 3
    assert "2 done with warnings" in capsys.readouterr().out
    assert set(read_runs([runs]).table.status) == {"done with warnings"}


def test_notes_and_failures_before_the_checkpoint_stay_after_a_resume(launch, monkeypatch):
    more = ("callbacks=economy",)
    with monkeypatch.context() as patch:
        patch.setattr(DatasetProperties, "measure", failing(DatasetProperties, {0}))
        interrupted(launch, monkeypatch, *more)
        before = launch.run().read()
        assert before["notes"]
        assert launch("epochs=5", *more) == 3
    after = launch.run().read()
    assert after["status"] == "done with warnings"
    assert after["notes"] == before["notes"]


@pytest.mark.parametrize(
    "settings", ["optimizer=sgd optimizer.lr=1e30", "optimizer=sgd optimizer.lr=1e12 model=mlp"]
)
def test_a_diverged_network_is_no_result(launch, monkeypatch, settings):
    words = (*settings.split(), "epochs=5", "callbacks=evaluation")
    assert launch(*words) == 3
    record = launch.run().read()
    assert record["status"] == "diverged"
    assert "is not a finite number after epoch" in " ".join(record["notes"])
    assert "1 run diverged: left out of laws and figures." in launch.output
    runs = read_runs([launch.home / "runs"])
    assert len(runs.done) == 0
    assert list(runs.table.status) == ["diverged"]
    assert launch(*words) == 3  # no second attempt
    assert "1 done already" in launch.output
    assert launch.run().read() == record
