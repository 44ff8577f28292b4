import csv

import pytest

from callbacks.evaluation import Evaluation

FEW = ("callbacks.fgsm_penalty.along=8", "callbacks.jacobian_spectrum.along=4")
PARTLY = ("probes.images=40", *FEW)
NAMES = {
    "train/loss": (40, 100),
    "test/loss": (40, 440),
    "train/d_repr_mle/penultimate": (40, 100),
    "test/fgsm_loss_penalty@2": (8, 440),
    "test/log_spectrum_mean": (4, 32),
}


def read(folder):
    with folder.metrics_file.open() as file:
        return list(csv.DictReader(file))


def test_a_curve_is_of_the_same_images_and_the_final_number_of_all(launch):
    launch("callbacks=full", "epochs=3", "callbacks.jacobian_spectrum.test=32", *PARTLY)
    rows, final = read(launch.run()), launch.run().read()["scalars"]
    for name, (few, every) in NAMES.items():
        own = [row for row in rows if row["name"] == name]
        counts = [(int(row["epoch"]), int(row["images"])) for row in own]
        assert counts == [(0, few), (1, few), (2, few), (3, few), (3, every)], name
        assert final[name] == float(own[-1]["value"])


def test_where_all_images_are_measured_along_the_way_nothing_is_measured_twice(launch):
    launch("callbacks=none", "epochs=2", "probes.images=1000")
    own = [row for row in read(launch.run()) if row["name"] in ("train/loss", "test/loss")]
    assert [int(row["epoch"]) for row in own] == [0, 0, 1, 1, 2, 2]


def test_an_end_alone_is_no_curve(launch):
    launch("callbacks=none", "epochs=2", "probes.schedule=end", "probes.images=10")
    own = [row for row in read(launch.run()) if row["name"] == "test/loss"]
    assert [(row["epoch"], row["images"]) for row in own] == [("2", "440")]


def test_no_image_is_no_sample():
    with pytest.raises(ValueError, match="along=0"):
        Evaluation(along=0)
