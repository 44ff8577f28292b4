import pytest
import torch

from metrics.functional.dip import dip_p, dip_statistic


@pytest.mark.parametrize("mass", [0.1, 0.3, 0.5])
def test_a_mode_that_stands_apart_gives_half_its_mass(mass):
    count = round(1000 * mass)
    values = torch.cat([torch.zeros(count), torch.ones(1000 - count)])
    assert dip_statistic(values) == pytest.approx(mass / 2, abs=0.001)


def test_evenly_spaced_values_are_as_unimodal_as_can_be():
    assert dip_statistic(torch.arange(40.0)) == pytest.approx(1 / 80)


def test_values_of_the_reference_implementation():
    """Of R's diptest, on the same numbers."""
    x = torch.tensor([0.1, 0.2, 0.25, 0.3, 0.9, 1.0, 1.05, 1.2, 1.3, 3.0]).double()
    assert dip_statistic(x) == pytest.approx(0.15, abs=1e-7)


def test_p_falls_with_the_dip_and_with_the_number_of_points():
    assert dip_p(0.03, 100) > dip_p(0.05, 100) > dip_p(0.06, 100)
    assert dip_p(0.03, 1000) < dip_p(0.03, 100)
