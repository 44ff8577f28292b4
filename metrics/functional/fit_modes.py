"""A lognormal law for every mode of a spectrum."""

from metrics.functional.fit_lognormal import LognormalFit, fit_lognormal
from metrics.functional.split_spectrum import SpectrumSplit

LEAST = 10  # values of a mode that a law is fitted to
EQUAL = 1e-5  # of their logarithms: closer together they are one value and its rounding


def fit_modes(split: SpectrumSplit, bootstrap: int = 0, seed: int = 0) -> dict[str, LognormalFit]:
    """Fit each mode that has enough values separately (Brandao et al. 2023).

    Reading it: see `fit_lognormal`. Cutting a mode at the trough worsens its fit; `fit_mixture`
    does not cut.

    Args:
        split: A log-spectrum, split at its trough or whole.
        bootstrap: Samples for the p-values; 0 for none.
        seed: Of the bootstrap.

    Returns:
        By mode, "left" and "right", or "" where there is one; without modes of fewer than 10 values
        or of equal values.

    Example:
        >>> import torch
        >>> from metrics.functional.split_spectrum import split_spectrum
        >>> two = torch.cat([torch.linspace(-4, -3, 100), torch.linspace(0, 1, 900)])
        >>> {mode: round(fit.mu, 2) for mode, fit in fit_modes(split_spectrum(two)).items()}
        {'left': -3.5, 'right': 0.5}
    """
    return {
        mode: fit_lognormal(logs.exp(), bootstrap, seed)
        for mode, logs in split.modes.items()
        if len(logs) >= LEAST and logs[-1] - logs[0] > EQUAL
    }
