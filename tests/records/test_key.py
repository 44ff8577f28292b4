"""Which settings are the same run."""

import pytest

from conf.plan import plan
from records.data_identity import DataIdentity, Manifest
from records.key import key_of


def key(*words):
    planned = plan(list(words))
    assert not planned.problems
    (run,) = planned.runs
    return run.key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["optimizer.lr=1"], ["optimizer.lr=1.0"]),
        (["task.noise=0"], ["task.noise=0.0"]),
        (["task.noise=1"], ["task.noise=1.0"]),
        (["optimizer.weight_decay=0"], ["optimizer.weight_decay=-0.0"]),
        (["optimizer.lr=1e-1"], ["optimizer.lr=0.1"]),
        (["probes.discard=0"], ["probes.discard=0.0"]),
    ],
)
def test_two_ways_to_write_a_number_are_one_run(one, other):
    assert key(*one) == key(*other)


def test_a_count_of_batches_is_no_share():
    assert key("trainer.limit_train_batches=1") != key("trainer.limit_train_batches=1.0")


@pytest.mark.parametrize(
    "words",
    [
        ["epochs=3"],
        ["optimizer=sgd"],
        ["optimizer.lr=0.5"],
        ["batch_size=7"],
        ["loss=offset"],
        ["schedule=linear"],
        ["augmentation=standard"],
        ["precision=64-true"],
        ["trainer.limit_train_batches=2"],
    ],
)
def test_where_nothing_is_trained_settings_of_training_do_not_count(words):
    assert key("model=none", *words) == key("model=none")
    assert key(*words) != key()


def test_a_probe_that_is_null_is_left_out_of_the_run():
    assert key("callbacks=economy", "callbacks.dataset_properties=null") == key("callbacks=none")
    assert key("callbacks=economy") != key("callbacks=none")


def test_what_is_measured_counts_without_a_network_too():
    assert key("model=none", "n=50") != key("model=none", "n=500")
    assert key("model=none", "task.noise=0.5") != key("model=none")


def test_the_data_count_and_not_where_they_lie():
    def of(root, fingerprint):
        settings = {"model": {"name": "m"}, "data": {"name": "d", "root": root}, "n": 1, "seed": 0}
        return key_of(settings, DataIdentity(fingerprint, ("data.root",), lambda: Manifest(0)))

    assert of("/a", "1") == of("/b", "1") != of("/a", "2")


@pytest.mark.parametrize(
    "words",
    [
        ["data.validation=null"],
        ["data.seed=0", "seed=0"],
        ["data.seed=${seed}"],
        ["folds=null"],
        ["select=last"],
    ],
)
def test_settings_that_change_nothing_do_not_count(words):
    assert key(*words) == key()


def test_what_is_held_out_and_selected_counts():
    validated = "data.validation=0.2"
    found = [
        key(),
        key(validated),
        key("data.validation=100"),
        key(validated, "select=best"),
        key(validated, "stop=early"),
        key("data.seed=1"),
        key("seed=1"),
        key("seed=1", "data.seed=0"),
        key("folds=5", "fold=0"),
        key("folds=5", "fold=1"),
        key("folds=4", "fold=0"),
    ]
    assert len(set(found)) == len(found)


def test_keys_are_those_of_earlier_versions():
    assert key() == "lenet-digits-n500-s0-da8857dc"
    assert key("model=none") == "none-digits-n500-s0-05631d94"
    assert key("data=plane", "model=mlp") == "mlp-plane-n500-s0-1ddfcaf3"
    assert key("data=lgg", "paths.data=/nowhere", "n=20") == "lenet-lgg-n20-s0-6282916a"
    npz = ("data=npz", "data.root=/nowhere/x.npz", "n=20")
    assert key(*npz) == "lenet-npz-n20-s0-7e6d913a"
    assert key(*npz, "data.reader.window=[40,400]") != key(*npz)
    folder = ("data=image_folder", "data.root=/nowhere", "n=20")
    assert key(*folder) == "lenet-image_folder-n20-s0-c08e1f90"
    assert key(*folder, "data.reader.leave_out=_mask") != key(*folder)
