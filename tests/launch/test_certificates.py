"""1-Lipschitz networks from the command to their certificates."""

import pytest

SMALL = ("callbacks=certified_robustness", "loss=offset", "optimizer.lr=0.01")


@pytest.mark.parametrize(
    "model",
    [
        ("model=aol_mlp_small", "model.network.width=64", "model.network.depth=2"),
        ("model=lcn_small", "model.network.base=2", "model.network.depth=1"),
    ],
    ids=["aol_mlp", "lcn"],
)
def test_certified_accuracy_lies_below_accuracy_and_falls_with_the_radius(launch, model):
    assert launch(*model, *SMALL, "augmentation=standard") == 0
    found = launch.run().read()["scalars"]
    curve = [found["test/accuracy"], *(found[f"test/cra@{k}"] for k in (36, 72, 108, 255))]
    assert curve == sorted(curve, reverse=True)
    assert 0.05 < curve[0] <= 1
