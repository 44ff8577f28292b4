"""A lognormal law for every mode of a spectrum."""

from metrics.functional.fit_lognormal import LognormalFit, fit_lognormal
from metrics.functional.split_spectrum import SpectrumSplit

LEAST = 10  # values of a mode
EQUAL = 1e-5  # spread of logarithms below which the values differ by rounding only


def fit_modes(split: SpectrumSplit) -> dict[str, LognormalFit]:
    """Fit each mode separately (Brandao et al. 2023), without p-values.

    Reading it: see `fit_lognormal`. Cutting a mode at the trough worsens its fit; `fit_mixture`
    does not cut. The keys are "left" and "right", or "" for a single mode. Modes of fewer than 10
    values or of equal values are left out.

    Example:
        >>> import torch
        >>> from metrics.functional.split_spectrum import split_spectrum
        >>> two = torch.cat([torch.linspace(-4, -3, 100), torch.linspace(0, 1, 900)])
        >>> {mode: round(fit.mu, 2) for mode, fit in fit_modes(split_spectrum(two)).items()}
        {'left': -3.5, 'right': 0.5}
    """
    return {
        mode: fit_lognormal(logs.exp(), bootstrap=0)
        for mode, logs in split.modes.items()
        if len(logs) >= LEAST and logs[-1] - logs[0] > EQUAL
    }
