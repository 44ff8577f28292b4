"""A whole run on the device: all probes, checkpoints, resuming; the CPU's numbers."""

import pytest

from callbacks.training_log import TrainingLog
from lightning_modules.classifier import Classifier
from tests.accelerator import lightning_accelerator
from tests.accelerator.transfers import counted

lightning_accelerator.register()
RUN = (
    *("callbacks=full", "logger=csv", "n=60", "epochs=3", "batch_size=20", "model=small_lenet"),
    *("probes.models=16", "probes.points=16", "checkpoint_seconds=0", "probes.on_error=stop"),
    *("task=all", "task.noise=0.2", "callbacks.classification.draws=20"),
)
# On other memory the same kernels give other last bits; steps and comparisons make them larger.
TOLERANCE = 1e-4


@pytest.fixture
def numbers(launch, scalars, tmp_path):
    """Final numbers of a run; every name has its own cache, so that all is computed."""

    def of(name: str, *overrides: str) -> dict[str, float]:
        launch.cache = tmp_path / f"cache of {name}"
        code = launch(*RUN, f"name={name}", *overrides, small=False)
        record = launch.run(name).read()
        assert code == 0, record["error"]
        assert record["status"].startswith("done")
        return scalars(launch.run(name))

    return of


def same(found: dict[str, float], expected: dict[str, float]) -> None:
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        near = value if value is None else pytest.approx(value, TOLERANCE, TOLERANCE)
        assert found[name] == near, name  # None is NaN in a record


def test_a_run_has_the_numbers_of_the_cpu_also_when_resumed_and_its_steps_read_nothing(
    numbers, launch, monkeypatch
):
    expected = numbers("host", "trainer=cpu")
    reads: dict[tuple[int, int], int] = {}  # by epoch and step, before the step
    begin = TrainingLog.on_train_batch_start

    def note(log, trainer, module, batch, index):
        assert module.device.type == "gpu"
        assert batch.x.device == module.device
        reads[trainer.current_epoch, index] = len(moved.to_host)
        return begin(log, trainer, module, batch, index)

    monkeypatch.setattr(TrainingLog, "on_train_batch_start", note)
    with counted() as moved:
        same(numbers("device"), expected)
    assert len(reads) == 9
    for epoch in range(3):
        assert reads[epoch, 0] == reads[epoch, 1] == reads[epoch, 2], "a step reads from the device"

    step = Classifier.training_step

    def fail_in_the_last_epoch(module, batch, index):
        if module.current_epoch == 2:
            raise RuntimeError("interrupted")
        return step(module, batch, index)

    monkeypatch.setattr(Classifier, "training_step", fail_in_the_last_epoch)
    with pytest.raises(AssertionError, match="interrupted"):
        numbers("resumed")
    monkeypatch.setattr(Classifier, "training_step", step)
    reads.clear()
    same(numbers("resumed"), expected)
    assert {epoch for epoch, _ in reads} == {2}, "only the last epoch was left to train"
