"""Average geometry G_F of every network of `conf/model` at 3 x 32 x 32: CPU seconds to 10 %.

As `average_geometry`, for the networks as configured, at sigma 1e-3, with the symmetries that each
network declares: what `geometric_velocity` estimates before training. `lcn_aol` and `lcn_cpl` are
left out: one forward pass of a new network takes minutes on one CPU; their small variants are in.
"""

from collections.abc import Iterable

import torch
from hydra.utils import instantiate

from benchmarks.average_geometry import compared
from benchmarks.harness import Row
from conf.blocks import HERE, choices_of, content_of
from metrics.functional.geometry_symmetry import check_symmetries
from metrics.functional.initial_geometry import redrawn

SHAPE = (3, 32, 32)
LEFT_OUT = {"none", "lcn_aol", "lcn_cpl"}


def run() -> Iterable[Row]:
    """Every choice and variant, in alphabetical order."""
    torch.set_num_threads(1)
    for name in sorted(set(choices_of(HERE / "model")) - LEFT_OUT):
        settings = content_of(f"model/{name}")["network"]
        network = instantiate(settings, in_channels=3, size=32, outputs=2, _convert_="all")
        names = check_symmetries(network.symmetries, SHAPE, network.patch)
        yield compared(name, redrawn(network), 1e-3, None, names, SHAPE, "logit", network.patch)
