"""Ensembles as runs: trained, measured, interrupted and shared out like any other."""

import csv
import signal

import pytest
import torch

from tests.launch.test_processes import finish
from tests.launch.test_survival import assert_same_run, wait_for_progress, weights

ENSEMBLE = ("model=mlp", "model.members=3", "batch_size=50", "callbacks=geometric_velocity")
ENSEMBLE = (*ENSEMBLE, "callbacks.geometric_velocity.models=8", "n=100", "logger=csv")


def names(folder):
    with folder.metrics_file.open() as file:
        return {row["name"] for row in csv.DictReader(file)}


def test_the_first_member_is_the_network_of_a_run_without_an_ensemble(launch):
    launch(*ENSEMBLE, "name=ensemble")
    launch(*ENSEMBLE, "model.members=1", "name=single")
    together, alone = weights(launch.run("ensemble")), weights(launch.run("single"))
    assert len(together) == 3 * len(alone)
    for name, value in alone.items():
        first = together[name.replace("network.", "network.members.0.", 1)]
        second = together[name.replace("network.", "network.members.1.", 1)]
        assert torch.equal(first, value), name
        assert not torch.equal(second, value), name
    assert "geometry/error" in names(launch.run("ensemble"))
    assert "geometry/error" not in names(launch.run("single"))


@pytest.mark.parametrize("model", ["lenet", "resnet18"])
def test_other_networks_train_as_ensembles_with_all_probes(launch, model):
    small = ("epochs=1", "n=30", "data.test_n=20", "callbacks.geometric_velocity.models=2")
    command = (f"model={model}", "model.members=2", "callbacks=full", "probes.on_error=stop")
    assert launch(*command, *small) == 0
    scalars = launch.run().read()["scalars"]
    assert {"test/accuracy", "train/loss", "geometry/error", "train/log_spectrum_mean"} <= set(
        scalars
    )


def test_a_killed_ensemble_goes_on_to_the_bit_velocity_included(launch, tmp_path):
    long = (*ENSEMBLE, "epochs=6", "checkpoint_seconds=0")
    launch(*long, "name=whole", small=False)
    process = launch.start(*long, "name=killed", small=False, pause=3)
    wait_for_progress(process, tmp_path / "runs" / "killed" / launch.run("whole").path.name)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    launch(*long, "name=killed", small=False)
    assert_same_run(launch.run("whole"), launch.run("killed"))
    assert "geometry/velocity" in names(launch.run("killed"))


def test_two_processes_give_the_numbers_of_one(launch, scalars):
    short = (*ENSEMBLE, "epochs=2", "n=130", "batch_size=65")
    launch(*short, "name=one", small=False)
    finish(launch.start(*short, "name=two", "trainer=ddp_cpu", small=False))
    one, two = scalars(launch.run("one")), scalars(launch.run("two"))
    assert "geometry/velocity" in one
    assert two == pytest.approx(one, rel=1e-4)


@pytest.mark.parametrize("members", ["0", "1.5", "many"])
def test_a_number_of_members_that_cannot_be_is_refused(launch, members):
    assert launch(f"model.members={members}") == 2
    assert f"model.members={members}" in launch.output
