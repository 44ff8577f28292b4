import pytest
import torch

from callbacks.neighbour_scaling import NeighbourScaling
from callbacks.subject import Subject
from tests.callbacks.subjects import data_of, on_one_process, on_two_processes, split_of


def square(n=2100, test=200):
    """Points of a square, as two of the four numbers of an image: dimension 2."""
    x = torch.full((n + test, 1, 2, 2), 0.5)
    x[:, 0, 0] = torch.rand(n + test, 2, generator=torch.Generator().manual_seed(0))
    y = torch.arange(n + test) % 2
    return Subject(data_of(split_of(x[:n], y[:n]), split_of(x[n:], y[n:])), seed=0)


def test_a_square_has_two_dimensions_and_every_distance_is_kept():
    found = NeighbourScaling(distances=["l2"], sizes=[100, 400, 1600]).measure(square())
    assert found.scalars["data/d_star/l2"] == pytest.approx(2, abs=0.15)
    assert "data/d_star_low/l2" not in found.scalars  # no interval was found to hold
    assert found.arrays["data/nearest_l2"].shape == (3, 200)
    assert found.arrays["data/neighbour_sizes"].tolist() == [100, 400, 1600]
    assert (found.arrays["data/nearest_l2"][1:] <= found.arrays["data/nearest_l2"][:-1]).all()


def test_sizes_halve_and_both_distances_are_drawn():
    found = NeighbourScaling(points=50).measure(square())
    assert found.arrays["data/neighbour_sizes"].tolist() == [16, 32, 65, 131, 262, 525, 1050, 2100]
    assert found.arrays["data/nearest_angular"].shape == (8, 50)
    assert len(found.figures["data/neighbour_scaling"].axes) == 2


def test_one_and_two_processes_agree_to_the_bit():
    def measure(subject):
        return NeighbourScaling(points=50).measure(subject).scalars

    subject = square(300, 60)
    expected = on_one_process(measure, subject)
    assert on_two_processes(measure, subject) == [expected, expected]
