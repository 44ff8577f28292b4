"""Images set aside, the best network, early stopping: by launching."""

import csv
import json

import pytest
import torch

WORDS = ("callbacks=evaluation", "logger=csv", "n=60", "model=mlp", "optimizer.lr=0.02")
WORDS += ("model.network.widths=[16]", "data.validation=0.3", "data.size=8")


def rows(folder, name):
    with folder.metrics_file.open() as file:
        found = [row for row in csv.DictReader(file) if row["name"] == name]
    return {int(row["epoch"]): float(row["value"]) for row in found}


def checkpoint(folder, name):
    return torch.load(folder.checkpoints / name, weights_only=True)


def test_validation_is_measured_every_epoch_and_the_best_network_kept(launch):
    assert launch(*WORDS, "epochs=12", small=False) == 0
    folder = launch.run()
    losses = rows(folder, "validation/loss")
    assert sorted(losses) == list(range(13))
    assert {f"validation/{name}" for name in ("accuracy", "auroc", "f1")} <= set(
        folder.read()["scalars"]
    )
    trained = {epoch: value for epoch, value in losses.items() if epoch}
    best = min(trained, key=trained.get)
    kept = checkpoint(folder, "best.ckpt")
    assert (kept["epoch"], kept["value"]) == (best, losses[best])
    tested = folder.read()["tested"]
    assert (tested["network"], tested["epoch"], tested["best_epoch"]) == ("last", 12, best)
    assert folder.read()["spec"]["validation_n"] == 20  # of 6 of each class 2
    assert folder.read()["spec"]["n"] == 40
    assert f"after epoch {best}; the last network is tested" in launch.output


def test_the_best_network_is_that_of_a_run_which_ends_there(launch):
    """At a constant rate, the network after k of 12 epochs is the last one of k epochs."""
    long = (*WORDS, "stop=early", "stop.monitor=validation/accuracy", "stop.patience=100")
    assert launch(*long, "select=best", "epochs=12", "name=best", small=False) == 0
    best = launch.run("best")
    tested = best.read()["tested"]
    epoch = tested["epoch"]
    assert tested["network"] == "best"
    assert 1 <= epoch < 12, "choose another rate: the last epoch is the best"
    assert launch(*WORDS, f"epochs={epoch}", "name=short", small=False) == 0
    short = launch.run("short")
    one, other = checkpoint(best, "best.ckpt"), checkpoint(short, "last.ckpt")
    for name, tensor in one["state_dict"].items():
        assert tensor.equal(other["state_dict"][name])
    same = ("test/loss", "test/accuracy", "train/loss", "validation/loss", "train/running_loss")
    for name in same:
        assert best.read()["scalars"][name] == short.read()["scalars"][name]
    assert rows(best, "test/loss").keys() >= {0, 1, epoch}
    assert max(rows(best, "validation/loss")) == 12  # the whole course is kept


def test_early_stopping_waits_for_its_patience(launch):
    words = (*WORDS, "optimizer.lr=0.1", "stop=early", "stop.patience=3", "epochs=100")
    assert launch(*words, small=False) == 0
    folder = launch.run()
    losses = rows(folder, "validation/loss")
    del losses[0]
    best = min(losses, key=losses.get)
    assert max(losses) == best + 3 < 100
    assert folder.read()["tested"]["best_epoch"] == best


def test_any_logged_number_can_be_monitored(launch):
    words = ("stop=early", "stop.monitor=test/accuracy", "stop.mode=min", "stop.patience=2")
    probes = ("probes.schedule=every", "data.validation=null", "epochs=30")
    assert launch(*WORDS, *words, *probes, small=False) == 0
    folder = launch.run()
    values = rows(folder, "test/accuracy")
    del values[0]
    tested = folder.read()["tested"]
    assert tested["best_epoch"] == min(values, key=values.get)
    assert tested["epoch"] == max(values) == tested["best_epoch"] + 2


def test_a_number_that_is_never_measured_stops_nothing(launch):
    words = ("stop=early", "stop.monitor=validation/bliss", "select=best", "epochs=3")
    assert launch(*WORDS, *words, small=False) == 0
    record = launch.run().read()
    assert record["tested"]["network"] == "last"
    assert any("validation/bliss: not measured in epoch 1" in note for note in record["notes"])
    assert "validation/bliss was never measured" in launch.output
    assert not (launch.run().checkpoints / "best.ckpt").exists()


@pytest.mark.parametrize("number", [3, 8])
def test_a_failed_run_resumes_with_its_best_network(launch, monkeypatch, number, scalars):
    """The file best.ckpt may be lost or of a later epoch; the checkpoint has the weights."""
    from callbacks.training_log import TrainingLog

    words = (*WORDS, "optimizer.lr=0.05", "stop=early", "stop.patience=4", "select=best")
    words = (*words, "epochs=20", "checkpoint_seconds=0")
    assert launch(*words, "name=whole", small=False) == 0
    original = TrainingLog.on_train_epoch_start

    def fail(self, trainer, module):
        if trainer.current_epoch == number:
            raise RuntimeError("power cut")
        original(self, trainer, module)

    with monkeypatch.context() as patch:
        patch.setattr(TrainingLog, "on_train_epoch_start", fail)
        assert launch(*words, "name=cut", small=False) == 1
    cut = launch.run("cut")
    (cut.checkpoints / "best.ckpt").unlink()
    assert launch(*words, "name=cut", small=False) == 0
    whole = launch.run("whole")
    assert scalars(cut) == scalars(whole)
    assert json.dumps(cut.read()["tested"]) == json.dumps(whole.read()["tested"])
    one, other = checkpoint(cut, "best.ckpt"), checkpoint(whole, "best.ckpt")
    assert one.pop("state_dict").keys() == other["state_dict"].keys()
    assert one == {key: value for key, value in other.items() if key != "state_dict"}
    for name, tensor in checkpoint(cut, "best.ckpt")["state_dict"].items():
        assert tensor.equal(other["state_dict"][name])


def test_two_processes_choose_the_same_network(launch, scalars):
    words = (*WORDS, "select=best", "epochs=4", "trainer=ddp_cpu")
    assert launch(*words, "name=two", small=False) == 0
    assert launch(*words, "trainer=default", "name=one", small=False) == 0
    one, two = launch.run("one"), launch.run("two")
    assert one.read()["tested"]["epoch"] == two.read()["tested"]["epoch"]
    assert scalars(two)["test/loss"] == pytest.approx(scalars(one)["test/loss"], rel=1e-5)


def test_folds_test_every_image_once(launch):
    from pyarrow import parquet

    words = ("folds=3", "epochs=1", "callbacks=classification", "model=mlp", "n=100")
    assert launch(*words, "-m", "fold=0,1,2") == 0
    folders = launch.runs()
    assert len(folders) == 3
    tested = [
        index
        for folder in folders
        for index in parquet.read_table(folder.path / "predictions.parquet")["index"].to_pylist()
    ]
    assert len(tested) == len(set(tested)) == 1740  # the rarest digit has 174 images
    assert sorted(folder.read()["settings"]["fold"] for folder in folders) == [0, 1, 2]
