"""The paper's effect, in seconds and without a download: pooling decides which plane is learned."""

import pytest

PLANE = (
    *("experiment=movahedi2025/plane", "preset=cpu", "logger=csv", "n=2000", "epochs=12"),
    *("model.members=1", "seed=0", "data.test_n=1000"),
)


@pytest.mark.slow
def test_an_mlp_learns_any_plane_and_lenet_only_one_that_its_geometry_sees(launch):
    assert launch("-m", *PLANE, small=False) == 0
    found = {}
    for run in launch.runs("movahedi2025/plane"):
        record = run.read()
        settings = record["settings"]
        found[settings["model"]["name"], settings["data"]["law"]["u2"]] = record["scalars"]
    accuracy = {cell: scalars["test/accuracy"] for cell, scalars in found.items()}
    assert accuracy["mlp", 1] > 0.95
    assert accuracy["mlp", -1] > 0.95
    assert accuracy["lenet", 1] > 0.97
    assert accuracy["lenet", -1] < 5 / 6 + 0.03  # the best that one direction allows
