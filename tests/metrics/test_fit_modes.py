import pytest
import torch

from metrics.functional.fit_modes import fit_modes
from metrics.functional.split_spectrum import split_spectrum


def logs(shift: float) -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    values = torch.randn(2000, 10, generator=generator, dtype=torch.float64) * 0.3
    values[:, 0] -= shift
    return values.flatten()


def test_two_modes_are_fitted_apart_and_one_as_a_whole():
    assert list(fit_modes(split_spectrum(logs(0)))) == [""]
    fits = fit_modes(split_spectrum(logs(4)))
    assert fits["left"].mu == pytest.approx(-4, abs=0.05)
    assert fits["right"].s == pytest.approx(0.3, abs=0.01)
    assert fits["left"].r_squared > 0.99
    assert fits["right"].normality.ks < 0.01


def test_modes_are_all_values_once():
    split = split_spectrum(logs(4))
    assert torch.equal(torch.cat(list(split.modes.values())), logs(4).sort().values)


def test_a_mode_without_spread_or_with_few_values_has_no_law():
    constant = torch.cat([torch.full((50,), -5.0), logs(0)])
    assert list(fit_modes(split_spectrum(constant, bandwidth=0.1, prominence=0.001, level=1))) == [
        "right"
    ]
