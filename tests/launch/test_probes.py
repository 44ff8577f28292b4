"""Whole runs with probes: what they log, and that training goes on as if they were not there."""

import csv

import pytest
import torch

PROBES = (
    *("evaluation", "dataset_properties", "representation_dimension", "fgsm_penalty"),
    "jacobian_spectrum",
)
EVERY_EPOCH = (
    *("probes.schedule=every", "callbacks.dataset_properties.schedule=every", "probes.models=16"),
)
NETWORK = (
    *("model=simple_convnet", "model.network.width=4", "task=all", "task.noise=0.2"),
    *("data.test_n=100", "batch_size=10"),  # steps enough for batch statistics to settle
)


def checkpoint(folder):
    return torch.load(folder.checkpoints / "last.ckpt", weights_only=True)


def equal(a, b) -> bool:
    if isinstance(a, torch.Tensor):
        return torch.equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


def test_training_with_all_probes_at_every_epoch_is_the_same_to_the_bit(launch):
    launch("callbacks=none", *NETWORK)
    (without,) = launch.runs()
    launch("callbacks=full", *NETWORK, *EVERY_EPOCH)
    (probed,) = (run for run in launch.runs() if run.path != without.path)
    first, second = checkpoint(without), checkpoint(probed)
    for part in ("state_dict", "optimizer_states", "lr_schedulers"):
        assert equal(first[part], second[part]), part
    epochs = {}
    for row in csv.DictReader(probed.metrics_file.open()):
        epochs.setdefault(row["name"], []).append(int(row["epoch"]))
    for name in (
        "data/k_f",
        "train/accuracy",
        "train/d_repr_mle/penultimate",
        "test/fgsm_loss_penalty@2",
        "geometry/corr_s",
        "train/log_spectrum_mean",
    ):
        assert sorted(set(epochs[name])) == [0, 1, 2], name
    assert epochs["geometry/velocity"] == [1, 2]
    assert sorted(set(epochs["train/accuracy_recovered"])) == [0, 1, 2]
    for probe in (*PROBES, "geometric_velocity", "label_fit"):
        assert f"time/{probe}" in epochs
    figures = {path.name for path in probed.figures.iterdir()}
    assert {"data_closest_pair.png", "test_fgsm_examples.png"} <= figures
    assert {"spectrum_histogram.png", "spectrum_probability.png"} <= figures


def test_the_data_are_measured_before_training_and_without_a_network(launch):
    launch("callbacks=economy")
    rows = list(csv.DictReader(launch.run().metrics_file.open()))
    before = launch.run()
    assert {row["epoch"] for row in rows if row["name"].startswith("data/")} == {"0"}
    launch("callbacks=full", "model=none")
    (alone,) = (run for run in launch.runs() if run.path != before.path)
    first, second = (run.read()["scalars"] for run in (before, alone))
    data = {name for name in first if name.startswith("data/")}
    assert {"data/d_mle", "data/d_twonn", "data/k_f", "data/k_f_rms"} <= data
    assert {name: first[name] for name in data} == {name: second[name] for name in data}


def test_the_reference_protocol_sets_the_published_codes_switches(launch):
    small = ("model=resnet18", "n=30", "data.test_n=10", "epochs=1")
    launch("callbacks=business", "protocol=code", *small)
    settings = launch.run().read()["settings"]["callbacks"]
    assert settings["dataset_properties"]["pairs"] == "random"
    assert settings["representation_dimension"]["denominator"] == "k-2"
    assert "train/d_repr_mle/konz2024" in launch.run().read()["scalars"]


def test_an_unknown_switch_is_refused_before_anything_starts(launch):
    assert launch("callbacks=business", "probes.denominator=k-3") == 2
    assert "must be k-1 or k-2" in launch.output


@pytest.mark.parametrize("on_error", ["continue", "stop"])
def test_a_probe_that_fails_is_left_out_or_stops_the_run(launch, on_error):
    code = launch("callbacks=certified_robustness", f"probes.on_error={on_error}")
    record = launch.run().read()
    if on_error == "continue":
        assert code == 3
        assert record["status"] == "done with warnings"
        failure = "certified_robustness failed at epoch 2 and was left out"
        assert launch.output.count(failure) == 2  # when it fails, and below the table
        assert "test/loss" in record["scalars"]
    else:
        assert code == 1
        assert "declares no Lipschitz constant" in record["error"]


def test_synthetic_data_without_a_pixel_range_are_measured_too(launch):
    code = launch("data=isotropic", "callbacks=business", "probes.on_error=stop", "data.test_n=60")
    assert code == 0
    scalars = launch.run().read()["scalars"]
    assert {"data/k_f", "test/fgsm_loss_penalty@8"} <= set(scalars)


def test_a_network_at_chance_is_called_untrained(launch):
    code = launch("callbacks=fgsm_penalty", "epochs=1", "model.lr=1e-9", "optimizer.lr=1e-9")
    record = launch.run().read()
    assert code == 0
    assert record["scalars"]["test/accuracy"] <= record["scalars"]["test/chance_accuracy"]
    assert any("untrained: accuracy within chance" in note for note in record["notes"])
    assert launch.output.count("untrained: accuracy within chance") == 1  # below the table alone
    assert "(chance)" in launch.output


def test_running_statistics_that_lag_behind_are_noted(launch):
    short = ("data.size=8", "n=60", "data.test_n=60", "epochs=4", "batch_size=30", "callbacks=none")
    assert launch("model=resnet18", "model.network.stem=small", *short) == 0
    record = launch.run().read()
    accuracies = (record["scalars"][f"train/{name}accuracy"] for name in ("running_", ""))
    assert next(accuracies) > 0.2 + next(accuracies)
    assert any("batch normalisation lag behind" in note for note in record["notes"])


def test_the_notes_of_a_sweep_are_printed_as_they_arise(launch):
    launch("-m", "seed=0,1", "epochs=1", "model.lr=1e-9", "optimizer.lr=1e-9")
    for run in launch.runs():
        assert f"{run.path.name}: untrained: accuracy within chance" in launch.output


def test_a_failed_run_shows_its_notes(launch):
    target = "callbacks.certified_robustness.CertifiedRobustness"
    words = ("callbacks=economy", f"+callbacks.certificate._target_={target}", "n=10")
    assert launch(*words, "probes.on_error=stop") == 1
    assert launch.output.count("Note: dataset_properties: data/d_mle not measured") == 1


def test_a_plain_run_leaves_a_trajectory_of_every_quantity_and_a_picture_of_it(launch):
    launch("callbacks=full", "n=60", "data.test_n=40", "epochs=5", "probes.models=16")
    (run,) = launch.runs()
    epochs = {}
    for row in csv.DictReader(run.metrics_file.open()):
        epochs.setdefault(row["name"], []).append(int(row["epoch"]))
    for name in (
        "train/d_repr_mle/penultimate",
        "test/fgsm_loss_penalty@2",
        "test/log_spectrum_mean",
        "test/loss",
    ):
        assert sorted(set(epochs[name])) == [0, 1, 2, 5], name
    assert epochs["geometry/velocity"] == [1, 2, 3, 4, 5]
    assert {"course.png", "test_confusion.png"} <= {path.name for path in run.figures.iterdir()}
    assert (run.path / "predictions.parquet").exists()
