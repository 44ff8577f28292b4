"""The experiments of the paper: their grids, and what presets and protocols make of them."""

from math import prod

import pytest

from conf.blocks import HERE, choices_of
from conf.plan import plan
from tests.conf.grids import grid

NAMES = sorted(choices_of(HERE / "experiment" / "movahedi2025"))
PRESETS = ("cpu", "gpu", "published")
# networks x data x sizes x labelings x 103 directions x 5 runs, as the paper has them
PUBLISHED = {
    "geometry": 4, "plane": 2 * 2 * 5, "evolution": 4, "random_labels": 4, "velocity": 4 * 2,
    "velocity_sizes": 6 * 2, "velocity_steps": 6 * 2, "directions": 3 * 3 * 103 * 5,
    "isotropic": 2 * 3 * 103 * 5, "isotropic_deep": 2 * 3 * 103 * 5, "rates": 3 * 4 * 103 * 5,
    "simplicity": 3 * 103 * 5, "elimination": 3 * 2 * 103 * 5, "pruning": 3 * 2 * 9 * 5,
}  # fmt: skip


def composed(name, *words):
    found = plan([f"experiment=movahedi2025/{name}", *words])
    assert found.problems == []
    return found.runs[0].config


@pytest.mark.parametrize("name", NAMES)
def test_it_is_right_as_the_published_code_ran_it_on_a_small_machine(name):
    config = composed(name, "preset=cpu", "protocol=code")
    assert config.name == f"movahedi2025/{name}"
    assert config.data.size <= 32
    assert prod(map(len, grid(f"movahedi2025/{name}", "cpu").values())) <= 32


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_it_is_right_under_every_preset_and_protocol(name):
    for preset in PRESETS:
        assert composed(name, f"preset={preset}").preset == preset
    composed(name, "protocol=text")
    assert plan(["-m", f"experiment=movahedi2025/{name}", "preset=cpu"]).problems == []


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_grid(name):
    assert prod(map(len, grid(f"movahedi2025/{name}", "published").values())) == PUBLISHED[name]


@pytest.mark.parametrize("protocol", ["corrected", "code"])
def test_the_published_code_s_mistakes_are_made_under_its_protocol_alone(protocol):
    made = protocol == "code"
    words = ("preset=cpu", f"protocol={protocol}")
    assert (composed("directions", *words).task.pixel_order == "mixed") == made
    assert (not composed("pruning", *words).data.transforms.prune.aligned) == made
    assert (composed("elimination", *words).data.transforms.remove.solve == "gsg") == made
    network = composed("velocity", *words, "model=resnet18_plain").model.network
    assert (network.block_activation == "relu") == made


def test_batches_grow_with_the_data_so_that_steps_do_not():
    assert composed("velocity_steps", "n=20000").batch_size == 254
    assert composed("velocity_sizes", "n=20000").batch_size == 128
