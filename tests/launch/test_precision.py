"""Mixed precision: training rounds, measurements do not."""

import pytest
import torch
from torch import nn

from callbacks import certified_robustness
from callbacks.probe import Probe
from lightning_modules.classifier import Classifier

MEASURED = ("test/loss", "train/loss", "train/d_repr_mle/penultimate", "test/fgsm_loss_penalty@2")


@pytest.fixture
def dtypes(monkeypatch):
    """The precision of scores in training and inside every probe, and whether GPUs may use TF32."""
    seen: dict[str, set[tuple[torch.dtype, bool]]] = {}
    measuring: list[str] = []
    take, step, forward = Probe.take, Classifier.training_step, nn.Linear.forward

    def taken(probe, *args, **kwargs):
        measuring.append(probe.name)
        try:
            return take(probe, *args, **kwargs)
        finally:
            measuring.pop()

    def stepped(module, batch, index):
        measuring.append("training")
        try:
            return step(module, batch, index)
        finally:
            measuring.pop()

    def linear(layer, x):
        made = forward(layer, x)
        shortened = {torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32}
        found = (made.dtype, shortened != {False})
        seen.setdefault(measuring[-1] if measuring else "test loop", set()).add(found)
        return made

    torch.set_float32_matmul_precision("high")
    monkeypatch.setattr(Probe, "take", taken)
    monkeypatch.setattr(Classifier, "training_step", stepped)
    monkeypatch.setattr(nn.Linear, "forward", linear)
    yield seen
    torch.set_float32_matmul_precision("highest")


def test_bfloat16_trains_and_probes_measure_in_float32(launch, dtypes):
    run = ("callbacks=full", "n=60", "probes.models=8", "probes.points=8", "trainer=cpu")
    assert launch("precision=bf16-mixed", *run, "epochs=1") == 0
    record = launch.run().read()
    assert record["status"].startswith("done")
    assert set(MEASURED) <= set(record["scalars"])
    assert dtypes.pop("training") == {(torch.bfloat16, True)}
    assert {"evaluation", "fgsm_penalty", "jacobian_spectrum", "test loop"} <= dtypes.keys()
    exact = {(torch.float32, False)}
    assert {name: found for name, found in dtypes.items() if found != exact} == {}
    state = torch.load(launch.run().checkpoints / "last.ckpt", weights_only=True)["state_dict"]
    assert {value.dtype for value in state.values() if value.is_floating_point()} == {torch.float32}


def test_certificates_are_computed_in_float64(launch, monkeypatch):
    seen = set()
    as_pair = certified_robustness.as_pair

    def noted(scores):
        seen.add(scores.dtype)  # float64 only if the network and its images are
        return as_pair(scores)

    monkeypatch.setattr(certified_robustness, "as_pair", noted)
    network = ("model=aol_mlp_small", "callbacks=certified_robustness", "trainer=cpu")
    assert launch("precision=bf16-mixed", *network, "n=40", "epochs=1") == 0
    assert "test/cra@36" in launch.run().read()["scalars"]
    assert seen == {torch.float64}
