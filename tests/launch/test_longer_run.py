"""`epochs=` raised on a finished run: the same numbers as from the beginning, in less time."""

import csv

import pytest
import torch

from launchers.longer_run import Shorter
from records.run_folder import RunFolder

SHORT = ("logger=csv", "n=60", "model=mlp", "model.network.widths=[16]", "data.size=8")
SHORT += ("probes.models=2", "probes.points=4")


def course(folder):
    with folder.metrics_file.open() as file:
        rows = [row for row in csv.reader(file) if not row[2].startswith("time/")]
    return sorted(rows)


def weights(folder):
    return torch.load(folder.checkpoints / "last.ckpt", weights_only=True)["state_dict"]


def longest(launch, name):
    return max(launch.runs(name), key=lambda one: one.read()["settings"]["epochs"])


@pytest.mark.parametrize(
    "words",
    [
        ("callbacks=velocity", "probes.schedule=every"),
        ("callbacks=evaluation", "schedule=exponential", "augmentation=standard"),
        ("callbacks=none", "data.validation=0.3", "stop=early", "stop.patience=2", "select=best"),
    ],
)
def test_it_ends_as_if_it_had_never_been_shorter(launch, scalars, words):
    words = (*SHORT, *words, "optimizer.lr=0.02")
    assert launch(*words, "epochs=7", "name=whole", small=False) == 0
    assert launch(*words, "epochs=2", "name=raised", small=False) == 0
    assert launch(*words, "epochs=4", "name=raised", small=False) == 0
    assert "after its 2 epochs" in launch.output
    assert launch(*words, "epochs=7", "name=raised", small=False) == 0
    assert "after its 4 epochs" in launch.output
    raised, whole = longest(launch, "raised"), launch.run("whole")
    assert raised.path.name == whole.path.name
    assert course(raised) == course(whole)
    assert scalars(raised) == scalars(whole)
    assert raised.read().get("tested") == whole.read().get("tested")
    assert raised.read()["continues"] is not None
    assert whole.read()["continues"] is None
    one, other = weights(raised), weights(whole)
    assert all(torch.equal(one[name], other[name]) for name in other)
    for part in ("arrays", "figures"):
        files = [{path.name for path in getattr(run, part).glob("*")} for run in (raised, whole)]
        assert files[0] == files[1]


def test_a_rate_that_depends_on_the_epochs_starts_from_nothing(launch):
    words = (*SHORT, "callbacks=none", "schedule=linear")
    assert launch(*words, "epochs=2", small=False) == 0
    assert launch(*words, "epochs=3", small=False) == 0
    assert "schedule=linear sets the rate by the number of epochs" in launch.output
    assert longest(launch, "default").read()["continues"] is None


def test_other_settings_and_fewer_epochs_are_other_runs(launch):
    words = (*SHORT, "callbacks=none")
    assert launch(*words, "epochs=3", small=False) == 0
    for other in (["epochs=2"], ["epochs=4", "optimizer.lr=0.5"], ["epochs=4", "resume=never"]):
        assert launch(*words, *other, small=False) == 0
        assert "continues" not in launch.output
    assert all(folder.read()["continues"] is None for folder in launch.runs())


def test_a_longer_run_that_fails_resumes(launch, monkeypatch, scalars):
    from callbacks.training_log import TrainingLog

    words = (*SHORT, "callbacks=velocity", "probes.schedule=every")
    assert launch(*words, "epochs=6", "name=whole", small=False) == 0
    assert launch(*words, "epochs=3", small=False) == 0

    def fail(self, trainer, module):
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(TrainingLog, "on_train_epoch_start", fail)
        assert launch(*words, "epochs=6", small=False) == 1
    assert launch(*words, "epochs=6", small=False) == 0
    assert "resumes from" in launch.output
    assert course(longest(launch, "default")) == course(launch.run("whole"))


def test_a_shorter_run_is_locked_while_it_is_copied(launch, monkeypatch):
    held, original = [], Shorter.hand_over

    def hand_over(self, folder):
        held.append(self.folder.is_held())
        original(self, folder)

    monkeypatch.setattr(Shorter, "hand_over", hand_over)
    for epochs in (2, 3):
        assert launch(*SHORT, "callbacks=none", f"epochs={epochs}", small=False) == 0
    assert held == [True]
    assert not any(folder.is_held() for folder in launch.runs())


def test_a_shorter_run_that_is_cleared_first_is_not_continued(launch, monkeypatch):
    """As by `resume=never` in another terminal, which has the lock before us."""
    words = (*SHORT, "callbacks=none")
    assert launch(*words, "epochs=2", small=False) == 0
    shorter, original = launch.run(), RunFolder.lock

    def lock(self):
        if self.path == shorter.path:
            self.clear()
        return original(self)

    monkeypatch.setattr(RunFolder, "lock", lock)
    assert launch(*words, "epochs=3", small=False) == 0
    assert f"{shorter.path.name} was removed or changed" in " ".join(launch.output.split())
    assert launch.run().read()["continues"] is None
    assert not shorter.path.exists()  # it is not left as an empty folder
