"""`precision=16-mixed` with its scaling of gradients, on the device; a CPU has none."""

import pytest
import torch

from callbacks import certified_robustness
from callbacks.training_log import TrainingLog
from lightning_modules.classifier import Classifier
from tests.accelerator import lightning_accelerator
from tests.accelerator.check_run import RUN, numbers, same  # noqa: F401  # a fixture
from tests.launch.test_precision import dtypes  # noqa: F401  # a fixture

lightning_accelerator.register()
HALVES = "precision=16-mixed"
EPOCHS = 3


def test_halves_train_and_probes_measure_in_float32(numbers, dtypes):  # noqa: F811
    numbers("halves", HALVES)
    assert dtypes.pop("training") == {(torch.float16, True)}
    assert {"evaluation", "fgsm_penalty", "jacobian_spectrum", "test loop"} <= dtypes.keys()
    exact = {(torch.float32, False)}
    assert {name: found for name, found in dtypes.items() if found != exact} == {}


def test_certificates_are_computed_in_float64(launch, monkeypatch):
    seen = set()
    as_pair = certified_robustness.as_pair

    def noted(scores):
        seen.add((scores.device.type, scores.dtype))  # float64 only if network and images are
        return as_pair(scores)

    monkeypatch.setattr(certified_robustness, "as_pair", noted)
    network = ("model=aol_mlp_small", "callbacks=certified_robustness", "probes.on_error=stop")
    assert launch(HALVES, *network, "n=40", "epochs=1") == 0
    assert "test/cra@36" in launch.run().read()["scalars"]
    assert seen == {("gpu", torch.float64)}


@pytest.fixture
def steps(monkeypatch):
    """Scale before each step, by epoch and step, and whether the step changed a weight."""
    seen: dict[tuple[int, int], tuple[float, bool]] = {}
    begin, end = TrainingLog.on_train_batch_start, Classifier.on_train_batch_end
    before: list[torch.Tensor] = []

    def weights(module):
        return torch.cat([p.detach().flatten().cpu() for p in module.parameters()])

    def started(log, trainer, module, batch, index):
        before[:] = [weights(module)]
        return begin(log, trainer, module, batch, index)

    def ended(module, outputs, batch, index):
        scale = module.trainer.precision_plugin.scaler.get_scale()
        moved = not torch.equal(before[0], weights(module))
        seen[module.current_epoch, index] = (scale, moved)
        return end(module, outputs, batch, index)

    monkeypatch.setattr(TrainingLog, "on_train_batch_start", started)
    monkeypatch.setattr(Classifier, "on_train_batch_end", ended)
    return seen


def test_an_overflow_skips_the_step_and_halves_the_scale_also_after_a_resume(
    numbers,  # noqa: F811
    steps,
    launch,
    monkeypatch,
):
    first = 2.0**23  # scaled, the gradients of the first steps are above float16's 65,504

    class Scaler(torch.amp.GradScaler):
        def __init__(self, device: str) -> None:
            super().__init__(device, init_scale=first)

    monkeypatch.setattr(torch.amp, "GradScaler", Scaler)
    expected = numbers("whole", HALVES)
    whole = dict(steps)
    assert len(whole) == 3 * EPOCHS
    scale = first
    for now, moved in whole.values():
        assert now == (scale if moved else scale / 2)
        scale = now
    taken = [moved for _, moved in whole.values()]
    assert not taken[0]
    assert taken[-1]

    step = Classifier.training_step

    def fail_in_the_last_epoch(module, batch, index):
        if module.current_epoch == EPOCHS - 1:
            raise RuntimeError("interrupted")
        return step(module, batch, index)

    monkeypatch.setattr(Classifier, "training_step", fail_in_the_last_epoch)
    with pytest.raises(AssertionError, match="interrupted"):
        numbers("resumed", HALVES)
    saved = torch.load(launch.run("resumed").checkpoints / "last.ckpt", weights_only=True)
    assert saved["MixedPrecision"]["scale"] == whole[EPOCHS - 2, 2][0] < first
    monkeypatch.setattr(Classifier, "training_step", step)
    steps.clear()
    same(numbers("resumed", HALVES), expected)
    assert steps == {when: found for when, found in whole.items() if when[0] == EPOCHS - 1}
