import pytest
import torch

from callbacks.neighbour_certificate import NeighbourCertificate
from callbacks.subject import Subject
from tests.callbacks.subjects import data_of, split_of


def line():
    """Training images at 0 (class 0) and at 1 (class 1) in one pixel; tests at 0, 0.1 ... 1."""
    train = torch.zeros(2, 1, 2, 2)
    train[1, 0, 0, 0] = 1
    test = torch.zeros(11, 1, 2, 2)
    test[:, 0, 0, 0] = torch.linspace(0, 1, 11)
    y = (torch.arange(11) > 5).long()
    return Subject(data_of(split_of(train, torch.tensor([0, 1])), split_of(test, y)), seed=0)


@pytest.mark.parametrize("norm", ["l2", "linf"])
def test_on_a_line_the_radius_is_the_distance_to_the_middle(norm):
    found = NeighbourCertificate(norm, radii=[0, 0.25 * 255]).measure(line())
    radius = torch.from_numpy(found.arrays["data/nn_radius"])
    expected = (torch.linspace(0, 1, 11).double() - 0.5).abs()
    torch.testing.assert_close(radius, expected, rtol=0, atol=1e-6)
    assert found.scalars["data/nn_cra@63.75"] == pytest.approx(6 / 11)
    assert found.scalars["data/nn_accuracy"] == pytest.approx(10 / 11)  # the middle is a tie
    assert ("data/nn_cra_sharp@63.75" in found.scalars) == (norm == "l2")


def test_the_sharper_bound_certifies_no_less():
    generator = torch.Generator().manual_seed(0)
    x, y = torch.rand(80, 1, 3, 3, generator=generator), torch.arange(80) % 3
    subject = Subject(data_of(split_of(x[:60], y[:60]), split_of(x[60:], y[60:])), seed=0)
    found = NeighbourCertificate().measure(subject).scalars
    for k in (36, 72, 108, 255):
        assert found[f"data/nn_cra_sharp@{k}"] >= found[f"data/nn_cra@{k}"]
