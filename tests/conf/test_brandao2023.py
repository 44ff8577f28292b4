"""Every experiment of the paper, under every preset and protocol."""

import pytest

from conf.plan import plan

MODELS = {"mlp_1x512", "small_alexnet", "small_inception"}
PAPER_MODELS = MODELS | {"mlp_3x512"}
LABELS, CIFAR, MNIST = [0, 0.5, 1], [0, 10, 100, 500, 1500], [0, 10, 50, 250, 784]
GRIDS = {
    "label_noise": ("task.noise", LABELS),
    "label_noise_mnist": ("task.noise", LABELS),
    "dataset_noise": ("data.transforms.mixture.components", CIFAR),
    "dataset_noise_mnist": ("data.transforms.mixture.components", MNIST),
    "corruptions": ("data.transforms.pixels._target_", None),
}


def runs_of(experiment, *words):
    planned = plan(["-m", f"experiment=brandao2023/{experiment}", *words])
    assert planned.problems == []
    return [run.config for run in planned.runs]


def value(config, name):
    for part in name.split("."):
        config = config[part]
    return config


def check(run, experiment, preset):
    mnist = "mnist" in experiment
    assert (run.optimizer.lr, run.optimizer.momentum) == (0.01, 0.9)
    assert (run.optimizer.weight_decay, run.schedule.gamma, run.batch_size) == (0, 0.95, 128)
    assert run.stop._target_.endswith("StopWhenOverfit")
    assert (run.stop.accuracy, run.stop.min_epochs, run.epochs) == (0.99, 50, 300)
    assert run.model.normalize == "image"
    assert run.data.size == (28 if mnist else 32)
    assert mnist or run.data.transforms.crop.size == 28
    if preset != "default":
        assert (run.n, run.data.test_n) == (60000 if mnist else 50000, 10000)
        assert run.data.split == "official"


@pytest.mark.parametrize("experiment", GRIDS)
def test_the_papers_levels_and_training(experiment):
    runs = runs_of(experiment, "preset=published", "model=mlp_1x512")
    name, levels = GRIDS[experiment]
    found = {value(run, name) for run in runs}
    assert (len(found) == 4) if levels is None else (found == set(levels))
    assert {run.seed for run in runs} == {0}
    for run in runs:
        check(run, experiment, "published")


@pytest.mark.parametrize("preset", ["default", "gpu"])
def test_training_is_the_papers_under_other_presets_too(preset):
    for experiment in ("label_noise", "dataset_noise_mnist"):
        for run in runs_of(experiment, f"preset={preset}", "model=mlp_1x512", "seed=0"):
            check(run, experiment, preset)


def test_the_networks_and_seeds_of_the_presets():
    for preset, models, seeds in (("default", MODELS, {0, 1, 2}), ("published", PAPER_MODELS, {0})):
        runs = runs_of("label_noise", f"preset={preset}")
        assert {run.model.name for run in runs} == models
        assert {run.seed for run in runs} == seeds


@pytest.mark.parametrize("experiment", GRIDS)
def test_the_cpu_preset_has_three_seeds_of_an_mlp_at_least(experiment):
    words = ["preset=cpu"] + ["standin=true"] * (experiment != "label_noise")
    runs = runs_of(experiment, *words)
    assert {run.model.name for run in runs} == {"mlp_1x512"}
    assert len({run.seed for run in runs}) >= 3
    assert {run.n for run in runs} == {500}
    assert experiment != "label_noise" or {run.data.name for run in runs} == {"digits"}


def test_spectra_are_measured_in_both_gauges_and_modes_at_the_same_epochs():
    (run, *_) = runs_of("label_noise", "preset=published")
    probes = {name: probe for name, probe in run.callbacks.items() if "spectrum" in name}
    assert [(p.get("gauge", "raw"), p.get("mode", "eval")) for p in probes.values()] == [
        ("raw", "eval"),
        ("centred", "eval"),
        ("raw", "train_b1"),
    ]
    assert {(p.train, p.test, p.inputs) for p in probes.values()} == {(50000, 10000, "normalised")}
    assert len({str(probe.schedule) for probe in run.callbacks.values()}) == 1


def test_images_are_mixed_before_they_are_cropped():
    (run, *_) = runs_of("dataset_noise")
    assert list(run.data.transforms) == ["mixture", "crop"]
    assert run.data.transforms.mixture.other.name == "cifar100"


def test_the_code_protocol_has_the_published_codes_networks():
    runs = {run.model.name: run for run in runs_of("label_noise", "protocol=code", "seed=0")}
    mlp = runs["mlp_1x512"].model
    assert (mlp.network.bias, mlp.network.init, mlp.normalize) == (False, "glorot", "channel")
    for name in ("small_alexnet", "small_inception"):
        assert runs[name].model.network.variant == "repo"
        assert runs[name].model.normalize == "channel"
    assert all(run.task.test_noise for run in runs.values())
    assert all(run.data.order == "seed" for run in runs.values())
