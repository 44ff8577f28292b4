"""The experiments of the paper: their grids, and what presets and protocols make of them."""

from math import prod
from pathlib import Path

import pytest
from omegaconf import OmegaConf

import conf
from conf.plan import plan

CONF = Path(conf.__file__).parent
FOLDER = CONF / "experiment" / "movahedi2025"
NAMES = sorted(file.stem for file in FOLDER.glob("*.yaml"))
PRESETS = ("cpu", "gpu", "paper")
# networks x data x sizes x labelings x 103 directions x 5 runs, as the paper has them
PAPER = {
    "geometry": 4, "plane": 2 * 2 * 5, "evolution": 4, "random_labels": 4, "velocity": 4 * 2,
    "velocity_sizes": 6 * 2, "velocity_steps": 6 * 2, "directions": 3 * 3 * 103 * 5,
    "isotropic": 2 * 3 * 103 * 5, "isotropic_deep": 2 * 3 * 103 * 5, "rates": 3 * 4 * 103 * 5,
    "simplicity": 3 * 103 * 5, "elimination": 3 * 2 * 103 * 5, "pruning": 3 * 2 * 9 * 5,
}  # fmt: skip


def grid(name, preset):
    """The sweep of an experiment under a preset, by axis."""
    files = [FOLDER / f"{name}.yaml", CONF / f"rules/experiment/{preset}/movahedi2025/{name}.yaml"]
    parts = [OmegaConf.to_container(OmegaConf.load(file)) for file in files]
    params = [part.get("hydra", {}).get("sweeper", {}).get("params", {}) for part in parts]
    return {axis: str(values).split(",") for axis, values in (params[0] | params[1]).items()}


def composed(name, *words):
    found = plan([f"experiment=movahedi2025/{name}", *words])
    assert found.problems == []
    return found.runs[0].config


@pytest.mark.parametrize("name", NAMES)
def test_it_is_right_as_the_published_code_ran_it_on_a_small_machine(name):
    config = composed(name, "preset=cpu", "protocol=reference")
    assert config.name == f"movahedi2025/{name}"
    assert config.data.size <= 32
    assert prod(map(len, grid(name, "cpu").values())) <= 32


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_it_is_right_under_every_preset_and_protocol(name):
    for preset in PRESETS:
        assert composed(name, f"preset={preset}").preset == preset
    composed(name, "protocol=paper")
    assert plan(["-m", f"experiment=movahedi2025/{name}", "preset=cpu"]).problems == []


@pytest.mark.parametrize("name", PAPER)
def test_the_paper_s_grid(name):
    assert prod(map(len, grid(name, "paper").values())) == PAPER[name]


@pytest.mark.parametrize("protocol", ["corrected", "reference"])
def test_the_published_code_s_mistakes_are_made_under_its_protocol_alone(protocol):
    made = protocol == "reference"
    words = ("preset=cpu", f"protocol={protocol}")
    assert (composed("directions", *words).task.pixel_order == "mixed") == made
    assert (not composed("pruning", *words).data.transforms.prune.aligned) == made
    assert (composed("elimination", *words).data.transforms.remove.solve == "gsg") == made
    network = composed("velocity", *words, "model=resnet18_plain").model.network
    assert (network.block_activation == "relu") == made


def test_batches_grow_with_the_data_so_that_steps_do_not():
    assert composed("velocity_steps", "n=20000").batch_size == 254
    assert composed("velocity_sizes", "n=20000").batch_size == 128
