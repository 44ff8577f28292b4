"""The base of all probes, on a real run through the launcher."""

from typing import ClassVar

import pytest

from callbacks import evaluation
from callbacks.evaluation import Evaluation
from callbacks.probe import Probe
from callbacks.schedules import EveryEpochs
from callbacks.subject import Measurement, Subject


class Counting(Probe):
    name: ClassVar[str] = "counting"

    def measure(self, subject: Subject) -> Measurement:
        return Measurement({"train/epoch_seen": float(subject.epoch)})


def rows(folder, name):
    lines = [line.split(",") for line in folder.metrics_file.read_text().splitlines()]
    return [int(line[0]) for line in lines if line[2] == name]


def test_a_probe_measures_on_its_schedule_and_at_the_end_once(launch, monkeypatch):
    monkeypatch.setattr(evaluation, "Evaluation", lambda **_: Counting(EveryEpochs(2, first=True)))
    launch("epochs=5")
    assert rows(launch.run(), "train/epoch_seen") == [0, 2, 4, 5]
    assert rows(launch.run(), "time/counting") == [0, 2, 4, 5]


def test_the_record_has_the_seconds_of_all_measurements(launch):
    launch("epochs=3", "probes.schedule=every")
    run = launch.run()
    lines = [line.split(",") for line in run.metrics_file.read_text().splitlines()[1:]]
    recorded = run.read()["scalars"]
    logged = [float(line[3]) for line in lines if line[2] == "time/evaluation"]
    assert len(logged) == 4
    assert recorded["time/evaluation"] == pytest.approx(sum(logged))
    training = [float(line[3]) for line in lines if line[2] == "time/train"]
    assert recorded["time/train"] == training[-1] == max(training)  # a sum already


class Fading(Probe):
    name: ClassVar[str] = "fading"

    def measure(self, subject: Subject) -> Measurement:
        names = ("train/second_mode", "train/never_seen")
        if subject.epoch < 4:
            return Measurement({"train/modes": 2.0, names[0]: 0.5}, absent=names[1:])
        return Measurement({"train/modes": 1.0}, absent=names)


def test_a_number_that_is_gone_at_the_end_is_not_told_from_before(launch, monkeypatch):
    monkeypatch.setattr(evaluation, "Evaluation", lambda **_: Fading(EveryEpochs(2)))
    launch("epochs=5")
    final = launch.run().read()["scalars"]
    assert final["train/modes"] == 1.0
    assert final["train/second_mode"] is None
    assert "train/never_seen" not in final
    assert rows(launch.run(), "train/second_mode") == [2, 4, 5]


def test_a_failing_probe_is_left_out_and_said(launch, monkeypatch):
    monkeypatch.setattr(Evaluation, "measure", lambda *_: 1 / 0)
    assert launch() == 3
    record = launch.run().read()
    assert record["status"] == "done with warnings"
    assert "train/loss" not in record["scalars"]
    assert "test/loss" in record["scalars"]
    why = "evaluation failed at epoch 2 and was left out: ZeroDivisionError"
    assert why in launch.output
    assert any(why in note for note in record["notes"])


def test_probes_work_in_double_precision(launch):
    assert launch("precision=64-true", "callbacks=full", "epochs=1") == 0
    record = launch.run().read()
    assert not record.get("failed_measurements")
    assert all("within chance" in note for note in record["notes"])  # after one epoch
    assert "train/loss" in record["scalars"]


def test_stop_ends_the_run(launch, monkeypatch):
    monkeypatch.setattr(Evaluation, "measure", lambda *_: 1 / 0)
    assert launch("probes.on_error=stop") == 1
    assert launch.run().read()["error"] == "division by zero"


def test_a_diverging_run_says_what_to_do(launch):
    assert launch("optimizer=sgd", "optimizer.lr=1e30") == 3
    assert launch.run().read()["status"] == "diverged"
    assert "lower optimizer.lr" in launch.output


@pytest.mark.parametrize("mode", ["fast", "overfit"])
def test_debug_modes_run(launch, mode):
    assert launch(f"debug={mode}", "epochs=1") == 0


def test_debug_fast_measures_everything_on_little(launch):
    assert launch("debug=fast", "logger=csv", "callbacks=full", small=False) == 0
    record = launch.run("debug").read()
    assert (record["spec"]["n"], record["spec"]["test_n"]) == (30, 10)
    measured = {name for name in record["scalars"] if name.startswith("time/")}
    probes = {f"time/{name}" for name in record["settings"]["callbacks"]}
    assert probes - {"time/label_fit"} <= measured  # no label is corrupted here


class Remarking(Counting):
    def measure(self, subject: Subject) -> Measurement:
        return Measurement({"train/epoch_seen": 1.0}, notes=("few images",))


def test_a_note_is_recorded_once(launch, monkeypatch):
    monkeypatch.setattr(evaluation, "Evaluation", lambda **_: Remarking("every"))
    launch("epochs=2")
    assert launch.run().read()["notes"].count("counting: few images") == 1
    assert launch.output.count("counting: few images") == 1
