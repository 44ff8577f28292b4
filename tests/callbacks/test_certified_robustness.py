import math
from dataclasses import replace

import pytest
import torch
from scipy.stats import binomtest
from torch import nn

from callbacks.certified_robustness import CertifiedRobustness
from callbacks.subject import Subject
from lightning_modules.losses.binary_cross_entropy import BinaryCrossEntropy
from lightning_modules.losses.cross_entropy import CrossEntropy
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline
from tests.callbacks.subjects import (
    data_of,
    on_one_process,
    on_two_processes,
    random_subject,
    split_of,
)


class FirstPixel(nn.Module):
    """Class 1 where the first pixel is above 1/2: 1-Lipschitz, its distances known."""

    lipschitz = 1.0

    def __init__(self, outputs: int = 2):
        super().__init__()
        self.outputs = outputs

    def forward(self, x):
        s = x[:, 0, 0, :1] - 0.5
        return s if self.outputs == 1 else torch.cat([-s, s], 1) / math.sqrt(2)


def subject_of(network: nn.Module, loss: nn.Module | None = None) -> Subject:
    """Images whose first pixel is 0, 10, 20 ... 250: 127.5 - 10 k levels from the boundary."""
    x = torch.zeros(26, 1, 4, 4, dtype=torch.uint8)
    x[:, 0, 0, 0] = 10 * torch.arange(26)
    y = (x[:, 0, 0, 0] > 127).long()
    return Subject(data_of(split_of(x, y)), 0, (network,), loss=loss or CrossEntropy())


@pytest.mark.parametrize(("outputs", "loss"), [(2, CrossEntropy()), (1, BinaryCrossEntropy())])
def test_a_linear_network_is_certified_up_to_its_boundary(outputs, loss):
    measured = CertifiedRobustness().measure(subject_of(FirstPixel(outputs), loss))
    levels = torch.tensor([abs(10 * k - 127.5) for k in range(26)])
    for radius in (36, 72, 108, 255):
        share = float((levels > radius).double().mean())
        assert measured.scalars[f"test/cra@{radius}"] == pytest.approx(share)
    found = torch.from_numpy(measured.arrays["test/certified_radius"])
    torch.testing.assert_close(found, (levels / 255).double(), rtol=1e-5, atol=1e-7)
    (curve,) = measured.figures["test/certified_curve"].axes[0].lines
    assert curve.get_ydata()[0] == 1
    assert curve.get_ydata()[-1] == 0


def test_normalisation_in_front_is_part_of_the_bound():
    network = Pipeline(Normalize("dataset", [0.0], [0.5]), FirstPixel())  # boundary now at 1/4
    assert network.lipschitz == 2.0
    scalars = CertifiedRobustness(radii=[36]).measure(subject_of(network)).scalars
    right = [k for k in range(26) if (10 * k > 127) == (10 * k > 63.75)]
    share = sum(abs(10 * k - 63.75) > 36 for k in right) / 26
    assert scalars["test/cra@36"] == pytest.approx(share)


@pytest.mark.parametrize(
    "network",
    [nn.Sequential(nn.Flatten(), nn.Linear(16, 2)), Pipeline(Normalize("image"), FirstPixel())],
)
def test_without_a_bound_nothing_is_certified_and_the_way_out_is_named(network):
    with pytest.raises(ValueError, match=r"declares no Lipschitz constant.*mode=smoothing"):
        CertifiedRobustness().measure(subject_of(network))


def smoothing(**options):
    return CertifiedRobustness("smoothing", throws=200, selection=20, points=None, **options)


@pytest.mark.parametrize(("outputs", "loss"), [(2, CrossEntropy()), (1, BinaryCrossEntropy())])
def test_smoothing_never_certifies_beyond_the_boundary(outputs, loss):
    measured = smoothing(radii=[0, 36]).measure(subject_of(FirstPixel(outputs), loss))
    levels = torch.tensor([abs(10 * k - 127.5) for k in range(26)])
    found = torch.from_numpy(measured.arrays["test/certified_radius"])
    known = ~found.isnan()
    assert (found[known] <= levels[known] / 255 + 1e-9).all()  # a linear boundary: R = distance
    assert measured.scalars["test/cra@0"] > 0.8
    assert 0 < measured.scalars["test/cra@36"] <= float((levels > 36).double().mean())
    assert measured.scalars["test/smoothed_abstained"] < 0.2


def test_smoothing_tells_its_images_and_an_interval_over_them():
    probe = CertifiedRobustness("smoothing", throws=20, selection=5, points=7, radii=[36])
    subject = subject_of(FirstPixel())
    measured = probe.measure(subject)
    scalars = measured.scalars
    assert scalars["test/smoothed_images"] == measured.images["test/cra@36"] == 7
    hits = round(7 * scalars["test/cra@36"])
    interval = binomtest(hits, 7).proportion_ci()  # Clopper and Pearson's by default
    assert scalars["test/cra_low@36"] == pytest.approx(interval.low)
    assert scalars["test/cra_high@36"] == pytest.approx(interval.high)
    subject.data.test = replace(subject.data.test, group=torch.zeros(26, dtype=torch.long))
    assert "test/cra_low@36" not in probe.measure(subject).scalars


def test_points_of_smoothing_are_fixed_by_seed():
    probe = CertifiedRobustness("smoothing", throws=20, selection=5, points=7)
    first, second = (probe.measure(subject_of(FirstPixel())) for _ in range(2))
    assert first.scalars == second.scalars
    assert len(first.arrays["test/certified_radius"]) == 7


@pytest.mark.parametrize("probe", [CertifiedRobustness(), smoothing()])
def test_one_and_two_processes_agree_to_the_bit(probe):
    def measure(subject):
        return probe.measure(subject).scalars

    network = random_subject().network
    network.lipschitz = 3.0
    subject = random_subject(network)
    expected = on_one_process(measure, subject)
    assert on_two_processes(measure, subject) == [expected, expected]


def test_training_images_are_certified_too_unless_told_not_to():
    found = CertifiedRobustness(radii=[36]).measure(subject_of(FirstPixel())).scalars
    assert found["train/cra@36"] == found["test/cra@36"]  # the same images here
    alone = CertifiedRobustness(radii=[36], train=False).measure(subject_of(FirstPixel())).scalars
    assert not [name for name in alone if name.startswith("train/")]


def test_the_published_estimate_is_beside_the_guarantee_and_never_below_it():
    found = smoothing(radii=[36, 108]).measure(subject_of(FirstPixel())).scalars
    assert found["test/cra_estimate@36"] >= found["test/cra@36"] > 0
    assert found["test/cra_estimate@108"] == 0  # its clip ends at .2908, 108/255 is beyond


@pytest.mark.parametrize(
    ("network", "kind"), [(FirstPixel(), "mean_margin"), (None, "smoothed_accuracy")]
)
def test_auto_certifies_by_the_bound_where_there_is_one(network, kind):
    probe = CertifiedRobustness("auto", throws=20, selection=5, points=5)
    subject = random_subject() if network is None else subject_of(network)
    assert f"test/{kind}" in probe.measure(subject).scalars


def test_margins_are_taken_in_float64_of_a_copy():
    seen = []
    network = Pipeline(Normalize("none"), nn.Sequential(nn.Flatten(), nn.Linear(16, 2)))
    network.network.lipschitz = 1.0
    network.network.register_forward_hook(lambda *given: seen.append(given[2].dtype))
    CertifiedRobustness().measure(subject_of(network))
    assert set(seen) == {torch.float64}
    assert next(network.parameters()).dtype == torch.float32
