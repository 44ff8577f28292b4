"""One small run of the spectra experiments, from the command line to what analysis reads."""

import csv

import numpy as np

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
