from datetime import timedelta

import pytest
import pytorch_lightning as pl
import torch
from pytorch_lightning.strategies import SingleDeviceStrategy

from callbacks.build import build_probes, build_trainer, choose_accelerator
from conf.plan import plan
from records.run_folder import RunFolder


def strategy_of(folder, *words):
    (run,) = plan(list(words)).runs
    return build_trainer(run.config, [], [], RunFolder(folder), False).strategy


@pytest.mark.parametrize(
    ("name", "start"), [("ddp", "popen"), ("ddp_fork", "fork"), ("ddp_spawn", "spawn")]
)
def test_ranks_wait_for_what_rank_0_does_alone(tmp_path, name, start):
    strategy = strategy_of(tmp_path, "trainer=ddp_cpu", f"trainer.strategy={name}")
    assert strategy._timeout == timedelta(days=1)
    assert strategy._start_method == start
    assert strategy.num_processes == 2


def test_a_probe_that_is_null_is_not_built():
    (run,) = plan(["callbacks=economy", "callbacks.dataset_properties=null"]).runs
    assert [probe.name for probe in build_probes(run.config)] == ["evaluation"]


def test_every_callback_has_hooks_that_a_subclass_can_call(tmp_path):
    (run,) = plan(["stop=early", "data.validation=0.2"]).runs
    folder = RunFolder(tmp_path)
    trainer = build_trainer(run.config, build_probes(run.config), [], folder, report_pace=True)
    assert len(trainer.callbacks) > 10
    hooks = [name for name in vars(pl.Callback) if name.startswith("on_")]
    assert len(hooks) > 20
    for callback in trainer.callbacks:
        assert all(callable(getattr(callback, hook)) for hook in hooks), callback


def test_one_device_has_no_ranks(tmp_path):
    assert isinstance(strategy_of(tmp_path, "trainer=cpu"), SingleDeviceStrategy)


def test_the_cpu_is_used_on_a_mac(monkeypatch):
    assert choose_accelerator("auto") == "auto"
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert choose_accelerator("auto") == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_accelerator("auto") == "auto"
