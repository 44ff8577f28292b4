"""One run from the command to its record."""

import csv
import json

import pytest


def test_a_run_leaves_a_whole_record(launch):
    assert launch() == 0
    record = launch.run().read()
    promised = {"key", "status", "settings", "scalars", "versions", "git", "started", "finished"}
    promised |= {"devices", "standin", "protocol", "preset"}
    assert promised <= record.keys()
    assert record["status"] == "done"
    assert record["key"] == launch.run().path.name
    assert record["key"].startswith("lenet-digits-n100-s0-")
    assert 0 <= record["scalars"]["test/accuracy"] <= 1
    assert "lenet-digits-n100-s0" in launch.output


def test_metrics_csv_has_one_row_per_measurement_and_agrees_with_the_record(launch):
    launch()
    rows = list(csv.DictReader(launch.run().metrics_file.open()))
    assert len({(row["epoch"], row["name"], row["images"]) for row in rows}) == len(rows)
    running = [row for row in rows if row["name"] == "train/running_loss"]
    assert [row["epoch"] for row in running] == ["1", "2"]
    final = {row["name"]: float(row["value"]) for row in rows}
    seconds = [float(row["value"]) for row in rows if row["name"] == "time/evaluation"]
    assert len(seconds) > 1
    scalars = launch.run().read()["scalars"]
    assert scalars.pop("time/evaluation") == pytest.approx(sum(seconds))  # of all measurements
    assert scalars == {name: value for name, value in final.items() if name != "time/evaluation"}


def test_a_finished_run_is_skipped_and_said_so(launch):
    launch()
    before = launch.run().record_file.read_bytes()
    assert launch() == 0
    assert "1 run, 1 done already." in launch.output
    assert launch.run().record_file.read_bytes() == before


def test_never_starts_anew_and_gives_the_same_numbers(launch, scalars):
    launch()
    first, planted = scalars(launch.run()), launch.run().path / "planted"
    planted.touch()
    assert launch("resume=never") == 0
    assert not planted.exists()
    assert scalars(launch.run()) == first


def test_must_refuses_to_start(launch):
    assert launch("resume=must") == 1
    assert "resume=must" in launch.output
    assert launch.runs() == []  # what has not begun leaves no record
    assert not list((launch.home / "runs").rglob("lock"))


def test_the_same_settings_under_two_names_are_two_runs(launch):
    launch("name=a")
    assert launch("-m", "name=a,b") == 0
    assert launch.run("a").path.name == launch.run("b").path.name


def test_text_in_brackets_survives_in_the_table_of_failures(launch, monkeypatch):
    from datamodules.image_data import ImageModule

    def load(self):
        raise RuntimeError("closing tag [/__w/torch] and [auto, never]")

    monkeypatch.setattr(ImageModule, "load", load)
    assert launch("-m", "seed=0,1") == 1
    assert "[/__w/torch] and [auto, never]" in launch.output


def test_overfitting_repeats_its_batch(launch):
    assert launch("debug=overfit", "epochs=80", "model=mlp", "n=500") == 0
    assert launch.run("debug").read()["scalars"]["train/running_accuracy"] == 1.0


def test_a_profile_is_left_in_the_run_folder(launch):
    assert launch("debug=profile", "model=mlp", "n=50", "callbacks=none") == 0
    assert list(launch.run("debug").path.glob("*profile*.txt"))


def test_a_home_folder_is_found(launch, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "zoë"))
    assert launch("epochs=1", "paths.data=~/data", "name=größe") == 0
    assert not (tmp_path / "~").exists()
    assert "paths.data" in launch.run("größe").read()["command"]


def test_settings_that_change_no_number_change_no_key(launch):
    launch()
    launch(
        "on_error=stop", "checkpoint_seconds=0", "trainer.accelerator=cpu", "probes.on_error=stop"
    )
    assert len(launch.runs()) == 1
    launch("seed=1")
    launch("model.network.activation=gelu")
    assert len(launch.runs()) == 3


def test_probes_on_or_off_training_is_the_same(launch, scalars):
    launch("callbacks=none")
    launch("callbacks=full")
    first, second = (scalars(run) for run in launch.runs())
    shared = first.keys() & second.keys()
    assert {"train/loss", "test/loss", "train/running_loss"} <= shared
    assert {k: first[k] for k in shared} == {k: second[k] for k in shared}


def test_model_none_measures_the_data_only(launch):
    assert launch("model=none") == 0
    names = launch.run().read()["scalars"]
    assert not any(name.startswith(("train/", "test/")) for name in names)


def test_a_failing_job_leaves_its_traceback_and_the_others_finish(launch):
    code = launch("-m", "data.size=32,8")  # LeNet needs 16 pixels
    assert code == 1
    by_status = {run.read()["status"]: run for run in launch.runs()}
    assert set(by_status) == {"done", "failed"}
    failed = by_status["failed"]
    assert "size=8" in failed.read()["error"]
    assert "Traceback" in failed.traceback_file.read_text()
    assert failed.path.name in launch.output
    assert "size=8" in launch.output


def test_on_error_stop_ends_the_sweep(launch):
    assert launch("-m", "data.size=8,32", "on_error=stop") == 1
    assert [run.read()["status"] for run in launch.runs()] == ["failed"]
    assert "size=8" in launch.output
    assert "not started" in launch.output


def test_a_sweep_runs_its_grid_and_then_skips_it(launch):
    grid = ("-m", "model=lenet,mlp", "n=50,100", "seed=0,1", "epochs=1")
    assert launch(*grid) == 0
    assert len(launch.runs()) == 8
    assert "8 runs, 0 done already." in launch.output
    times = [run.record_file.stat().st_mtime_ns for run in launch.runs()]
    assert launch(*grid) == 0
    assert "8 runs, 8 done already." in launch.output
    assert launch.output.count("skipped") == 8
    assert times == [run.record_file.stat().st_mtime_ns for run in launch.runs()]


def test_broken_record_is_set_aside_and_said(launch):
    launch()
    launch.run().record_file.write_text('{"status": "do')
    assert launch() == 0
    assert "record.broken.json" in launch.output
    (note,) = launch.run().read()["notes"]
    assert note.startswith("resumed without its record, which was lost or damaged")
    assert json.loads(launch.run().record_file.read_text())["status"] == "done"


@pytest.mark.parametrize("model", ["mlp", "resnet18", "vit"])
def test_other_networks_train(launch, model):
    assert launch(f"model={model}", "epochs=1", "n=20", "data.test_n=20") == 0


@pytest.mark.parametrize("head", ["logits", "single"])
def test_a_pair_trains_with_either_head(launch, head):
    assert launch("task=pair", f"model.head={head}", "n=100", "data.test_n=50") == 0


@pytest.mark.parametrize(
    "option",
    [
        "optimizer=sgd",
        "optimizer=nesterov schedule=one_cycle",
        "schedule=linear",
        "schedule=exponential",
    ],
)
def test_optimisers_and_schedules_train(launch, option):
    assert launch(*option.split(), "epochs=1") == 0


def test_a_failure_is_recorded_while_the_folder_is_held(launch, monkeypatch):
    """Whoever waits for the lock writes as soon as it is free."""
    from launchers import run

    held, fail = [], run.fail
    monkeypatch.setattr(run, "fail", lambda f, *why: (held.append(f.is_held()), fail(f, *why)))
    assert launch("data.size=8") == 1  # LeNet needs 16 pixels
    assert held == [True]
