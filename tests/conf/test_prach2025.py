"""The experiments of Prach & Lampert: every preset plans, and the paper's has the paper's grid."""

import pytest

from conf.plan import plan
from tests.conftest import ROOT

NAMES = sorted(path.stem for path in (ROOT / "conf" / "experiment" / "prach2025").glob("*.yaml"))
SIZES = [48, 97, 195, 390, 781, 1562, 3125, 6250, 12500, 25000, 50000]


def runs(name, preset, *more):
    planned = plan(["-m", f"experiment=prach2025/{name}", f"preset={preset}", *more])
    assert planned.problems == []
    return [run.config for run in planned.runs]


def test_all_of_them_are_here():
    assert NAMES == [
        "bound", "component_counts", "components", "compute_scaling", "data_scaling",
        "generated_data", "neighbours", "tradeoff",
    ]  # fmt: skip


@pytest.mark.parametrize("preset", ["cpu", "gpu", "published"])
@pytest.mark.parametrize("name", NAMES)
def test_every_preset_plans_its_grid(name, preset):
    configs = runs(name, preset)
    assert configs
    assert {config.preset for config in configs} == {preset}


def test_every_training_set_is_seen_as_1_5e8_images():
    configs = runs("data_scaling", "published", "model=aol_mlp")
    assert [config.n for config in configs] == SIZES
    assert [config.epochs for config in configs] == [150_000_000 // n for n in SIZES]
    assert {config.data.split for config in configs} == {"official"}
    assert {config.data.test_n for config in configs} == {10_000}


def test_each_network_is_trained_as_published():
    trained = {
        config.model.name: (
            config.optimizer.lr, config.loss.offset, config.loss.temperature,
            config.augmentation.noise,
        )
        for config in runs("data_scaling", "published", "n=48")
    }  # fmt: skip
    assert trained == {
        "aol_mlp": (0.1, 0.19965, 0.25, 0.0),
        "lcn_cpl": (1.0, 0.19965, 0.25, 0.0),
        "simple_convnet": (0.3, 0.0, 8.0, 0.125),
    }


def test_the_components_are_those_of_table_1():
    configs = runs("components", "published", "model=aol_mlp", "augmentation=standard")
    assert [config.data.transforms.components.keep for config in configs] == [
        [[0, 16]], [[0, 512]], [[512, 3072]], [[2048, 3072]], [[0, 16], [512, 3072]], [[0, 3072]],
    ]  # fmt: skip
    epochs = {config.model.name: config.epochs for config in runs("components", "published")}
    assert epochs == {"aol_mlp": 3000, "simple_convnet": 300}


def test_generated_sets_halve_from_a_million_and_real_images_test():
    configs = runs("generated_data", "published", "model=aol_mlp")
    assert [config.n for config in configs] == [1_000_000 >> k for k in range(15, -1, -1)]
    assert {config.data.extra_only for config in configs} == {True}
    assert {(config.data.split, config.data.test_n) for config in configs} == {("official", 10_000)}


def test_the_trade_off_has_both_published_values_and_needs_no_download_on_a_laptop():
    configs = runs("tradeoff", "published")
    assert {0, 0.1} <= {config.loss.t for config in configs}
    assert {config.model.network.init for config in configs} == {"orthogonal"}
    assert {config.data.name for config in runs("tradeoff", "cpu")} == {"digits"}


def test_mnist_keeps_its_own_size_and_the_gpu_preset_ends_its_cycle():
    assert {c.data.size for c in runs("neighbours", "default", "data=mnist")} == {28}
    assert {c.data.size for c in runs("neighbours", "default")} == {32}
    stops = {config.stop._target_ for config in runs("data_scaling", "gpu")}
    assert stops == {"callbacks.stop.AllEpochs"}
