"""What needs no network, from the command to the record."""

import numpy as np
import pytest


def test_neighbours_and_variance_of_handwritten_digits(launch):
    assert launch("model=none", "callbacks=neighbours", "n=400", "data.size=8") == 0
    run = launch.run()
    found = run.read()["scalars"]
    assert 4 < found["data/d_star/l2"] < 30
    assert found["data/d_star/l2"] > 0
    assert found["data/nn_accuracy"] > 0.9
    assert found["data/nn_accuracy"] >= found["data/nn_cra_sharp@36"] >= found["data/nn_cra@36"]
    assert found["data/nn_cra@36"] > 0.5
    with np.load(run.path / "arrays" / "data_nearest_l2@0.npz") as kept:
        assert kept["nearest_l2"].shape == (6, run.read()["spec"]["test_n"])


def test_images_through_some_components_keep_the_share_of_their_variance(launch):
    projected = "+corruption@data.transforms.components=principal_components"
    for keep in ("[[0,16]]", "[[16,64]]", "[[0,64]]"):
        command = ("model=none", "callbacks=principal_variance", "data.size=8", projected)
        assert launch(*command, f"data.transforms.components.keep={keep}") == 0
    totals = {}
    for record in (run.read() for run in launch.runs()):
        keep = record["settings"]["data"]["transforms"]["components"]["keep"]
        totals[str(keep)] = record["scalars"]["data/variance"]
    parts = totals["[[0, 16]]"] + totals["[[16, 64]]"]
    assert parts == pytest.approx(totals["[[0, 64]]"], rel=1e-5)
    assert totals["[[0, 16]]"] > totals["[[16, 64]]"]


def test_theorem_2_is_simulated_on_cells(launch):
    bound = ("model=none", "data=cells", "callbacks=neighbour_certificate", "data.test_n=200")
    certify = ("callbacks.neighbour_certificate.norm=linf",
               "callbacks.neighbour_certificate.radii=[31.875]")  # fmt: skip
    assert launch(*bound, *certify, "n=200") == 0
    assert launch.run().read()["scalars"]["data/nn_cra@31.875"] == 1
