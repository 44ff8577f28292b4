"""One small run of the spectra experiments, from the command line to what analysis reads."""

import csv

import numpy as np
import torch

SMALL = (
    *("logger=csv", "n=40", "data.test_n=20", "epochs=3", "seed=0", "task.noise=1"),
    *("callbacks.jacobian_spectrum.train=20", "callbacks.jacobian_spectrum.test=10"),
)


def test_spectra_of_both_gauges_are_kept_from_the_untrained_network_on(launch):
    words = ("-m", "experiment=brandao2023/label_noise", "preset=cpu", "probes.on_error=stop")
    assert launch(*words, *SMALL, small=False) == 0, launch.output
    run = launch.run("brandao2023/label_noise")
    rows = list(csv.DictReader(run.metrics_file.open()))
    for name in (
        *("train/log_spectrum_mean", "test/log_spectrum_mean@centred", "train/left_mass"),
        *("train/accuracy", "test/accuracy", "train/accuracy_corrupted"),
    ):
        assert [int(row["epoch"]) for row in rows if row["name"] == name] == [0, 1, 2, 3], name
    assert not any("train_b1" in row["name"] for row in rows)  # an MLP has no batch statistics
    assert {"time/jacobian_spectrum", "time/jacobian_spectrum_centred"} <= {r["name"] for r in rows}
    for name, shape in (
        ("train_singular_values", (20, 10)),
        ("test_singular_values_centred", (10, 9)),
    ):
        with np.load(run.arrays / f"{name}@3.npz") as kept:
            (values,) = kept.values()
        assert values.shape == shape


def test_plain_sgd_keeps_the_sum_of_the_heads_rows_and_weight_decay_does_not(launch):
    words = ("experiment=brandao2023/label_noise", "stop=epochs", "model=mlp_1x512", "data=digits")
    size = ("preset=cpu", "callbacks=none")
    sums = []
    for epochs, decay in ((0, 0.0), (3, 0.0), (3, 0.1)):
        training = (f"epochs={epochs}", f"optimizer.weight_decay={decay}")
        arguments = (*words, *size, "logger=csv", "n=40", "data.test_n=20", *training)
        assert launch(*arguments, small=False) == 0, launch.output
    for run in launch.runs("brandao2023/label_noise"):
        settings = run.read()["settings"]
        state = torch.load(run.checkpoints / "last.ckpt", weights_only=True)["state_dict"]
        (head,) = (value for name, value in state.items() if name.endswith("head.weight"))
        sums.append((settings["epochs"], settings["optimizer"]["weight_decay"], head.sum(0)))
    found = {(epochs, decay): total for epochs, decay, total in sums}
    drift = (found[3, 0.0] - found[0, 0.0]).abs().max()
    assert drift < 1e-5
    assert (found[3, 0.1] - found[0, 0.0]).abs().max() > 100 * drift
