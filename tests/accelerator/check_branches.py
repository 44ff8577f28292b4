"""Options of `metrics` that no docstring example has: on the device the CPU's numbers."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from metrics.functional.geometry import Geometry
from metrics.functional.geometry_evolution import geometry_evolution
from metrics.functional.geometry_symmetry import symmetrise
from metrics.functional.gsg_correlation import GSGCorrelation
from metrics.functional.initialisation import Initialisation
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.random_head import WIDEST, RandomHead
from metrics.functional.split_spectrum import split_spectrum
from metrics.label_sharpness import LabelSharpness
from tests.accelerator import device
from tests.accelerator.both import equal
from tests.accelerator.generators import one_stream

device.register()
Branch = Callable[[str], object]
BRANCHES: dict[str, list[Branch]] = {}  # by the module that they are for


def branch(module: str) -> Callable[[Branch], Branch]:
    def kept(check: Branch) -> Branch:
        BRANCHES.setdefault(f"metrics.{module}", []).append(check)
        return check

    return kept


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def factor(at: str) -> Geometry:
    return Geometry.from_rows(drawn(1, 8).to(at), (2, 2, 2))


def dense(at: str) -> Geometry:
    return Geometry.from_rows(drawn(20, 8).to(at), (2, 2, 2))


@branch("functional.geometry_symmetry")
def channels_of_a_matrix(at):
    return symmetrise(dense(at), "channels").dense()


@branch("functional.geometry_symmetry")
def channels_of_rows(at):
    return symmetrise(factor(at), "channels").dense()


@branch("functional.geometry_symmetry")
def tokens(at):
    return symmetrise(dense(at), "tokens", patch=1).dense()


@branch("functional.geometry_symmetry")
def pixels(at):
    return symmetrise(dense(at), "pixels").dense()


@branch("functional.gsg_correlation")
def rows_in_main_memory(at):
    filtered = torch.eye(3)[:2].expand(6, 2, 3).to(at)
    return GSGCorrelation(filtered).estimate(torch.eye(3)[:1], norm=1.0).value


@branch("functional.geometry_evolution")
def labels_in_main_memory(at):
    network = nn.Sequential(nn.Flatten(), nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1))
    for seed, weight in enumerate(network.parameters()):
        weight.data = drawn(*weight.shape, seed=seed)
    images, probes = drawn(5, 1, 2, 2).to(at), drawn(2, 1, 2, 2, seed=1).to(at)
    labels = torch.tensor([0.0, 1.0, 0.0, 1.0, 1.0])
    return geometry_evolution([network.to(at)], probes, images, labels, scalar="logit").trace


@branch("functional.label_sharpness")
def draws_that_share_images(at):
    return label_sharpness(
        drawn(12, 3).to(at), (torch.arange(12) % 2).to(at), draws=9, sample=8, value_range=9.0
    )


@branch("functional.label_sharpness")
def random_pairs(at):
    return label_sharpness(
        drawn(12, 3).to(at), (torch.arange(12) % 2).to(at), pairs="random", value_range=9.0
    )


@branch("functional.random_head")
def heads_too_wide_for_a_rotation(at):
    law = Initialisation(lambda: nn.Linear(WIDEST + 1, 2).to(at), seed=0)
    with law.stream(0):
        return RandomHead(law, law.model, "mean").draw(2)


@branch("functional.split_spectrum")
def grid_of_a_density(at):
    return split_spectrum(drawn(60).abs().to(at)).grid


@branch("result_metric")
def numbers_of_a_metric(at):
    metric = LabelSharpness(value_range=9.0).to(at)
    metric.update(drawn(12, 3).to(at), (torch.arange(12) % 2).to(at))
    return metric.compute()["k_f"]


@pytest.mark.parametrize("check", [c for checks in BRANCHES.values() for c in checks])
def test_branch_gives_the_numbers_of_the_cpu(check):
    assert is_same(check)


def is_same(check: Branch) -> bool:
    """Whether the device has the CPU's result, and on the device if it is a tensor."""
    with one_stream():
        expected, found = (numbers(check(at)) for at in ("cpu", "gpu:0"))
    there = all(isinstance(b, device.DeviceTensor) for b in found if isinstance(b, Tensor))
    return there and all(equal(a, b) for a, b in zip(expected, found, strict=True))


def numbers(result: object) -> list[object]:
    if isinstance(result, Tensor | float):
        return [result]
    return list(result.scalars().values())  # type: ignore[attr-defined]
