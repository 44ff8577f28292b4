"""Presets, protocols and variants in the file that they change."""

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.plugins.config_source import ConfigLoadError

from conf import blocks
from conf.plan import HERE, plan
from conf.run_plan import RunPlan
from conf.schema import register


def settings(*words):
    planned = plan(list(words))
    assert planned.problems == []
    return planned.runs[0].config


def test_there_are_few_files_and_no_rules_apart():
    assert len(list(HERE.rglob("*.yaml"))) <= 170
    assert not (HERE / "rules").exists()


def test_a_preset_then_a_protocol_then_the_command_win():
    name = "experiment=movahedi2025/isotropic"
    assert (settings(name).n, settings(name).epochs) == (10000, 30)
    assert (settings(name, "preset=cpu").n, settings(name, "preset=cpu").epochs) == (2000, 12)
    both = settings(name, "preset=cpu", "protocol=text")
    assert (both.n, both.epochs, both.optimizer.lr) == (2000, 20, 0.5)
    assert settings(name, "preset=cpu", "protocol=text", "epochs=7").epochs == 7


def test_a_variant_is_its_file_with_changes():
    small = settings("experiment=movahedi2025/isotropic_small")
    assert (small.name, small.n, small.epochs) == ("movahedi2025/isotropic_small", 50000, 30)
    rates = settings("experiment=movahedi2025/rates", "protocol=text")
    assert (rates.epochs, rates.data.law.epsilon.sinusoidal) == (30, 5.0)  # its blocks are its own


@pytest.mark.parametrize(
    ("experiment", "preset", "stop", "epochs"),
    [
        ("brandao2023/label_noise", "gpu", "StopWhenOverfit", 300),
        ("prach2025/tradeoff", "gpu", "AllEpochs", 30),
        ("prach2025/components", "gpu", "AllEpochs", None),
        ("movahedi2025/isotropic", "gpu", "AllEpochs", 30),
        ("movahedi2025/width", "gpu", "AllEpochs", 0),
        ("konz2024/generalization", "gpu", "StopAtFit", 100),
        ("tour", "cpu", "AllEpochs", 15),
        ("konz2024/real_data", "published", "AllEpochs", 30),
    ],
)
def test_an_experiment_s_own_settings_hold_under_a_preset(experiment, preset, stop, epochs):
    run = settings(f"experiment={experiment}", f"preset={preset}")
    assert run.stop._target_ == f"callbacks.stop.{stop}"
    assert epochs is None or run.epochs == epochs
    assert "movahedi2025" not in experiment or str(run.precision.name) == "32-true"


@pytest.mark.parametrize(
    "words",
    [
        ("experiment=movahedi2025/velocity_steps", "preset=cpu", "protocol=code"),
        ("experiment=konz2024/task_selection", "preset=cpu", "protocol=code", "model=vgg13"),
    ],
)
def test_a_worker_of_hydra_s_own_launchers_composes_the_planned_run(words):
    """Joblib's and submitit's workers compose the words of a run themselves."""
    planned = plan(["-m", *words])
    run = planned.runs[-1]
    register()
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(HERE), version_base="1.3"):
        whole = compose("config", list(run.overrides), return_hydra_config=True)
        config = compose("config", list(run.overrides))
    assert RunPlan.of(config).key == run.key
    swept = [f"{name}={value}" for name, value in whole.hydra.sweeper.params.items()]
    assert any(word.startswith("task.finding=" if "konz" in words[0] else "n=") for word in swept)


def test_a_block_that_would_never_be_read_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "HERE", tmp_path)
    for group in ("preset", "protocol", "data", "stop"):
        (tmp_path / group).mkdir()
    (tmp_path / "preset" / "cpu.yaml").write_text("{}")
    wrong = {"data/a": "presets: {paper: {n: 1}}", "stop/b": "presets: {cpu: {n: 1}}"}
    for name, text in wrong.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    with pytest.raises(ConfigLoadError, match="presets has `paper`; there are cpu"):
        blocks.content_of("data/a")
    with pytest.raises(ConfigLoadError, match="presets are for model, data"):
        blocks.content_of("stop/b")
