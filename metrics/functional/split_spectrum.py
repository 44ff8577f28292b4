"""Split a log-spectrum into its two modes at the deepest trough."""

import math
from dataclasses import dataclass

from torch import Tensor

from metrics.functional.checks import check_number
from metrics.functional.dip import dip_p, dip_statistic
from metrics.functional.spectrum_shape import spectrum_shape


@dataclass(frozen=True)
class SpectrumSplit:
    """Two modes and the trough between them, or one mode and no trough."""

    trough: float | None  # position in log sigma; None: unimodal
    left: Tensor  # (values below the trough,) sorted; empty when unimodal
    right: Tensor  # (other values,) sorted
    peaks: tuple[float, ...]  # positions of the prominent peaks, before the dip test
    dip: float  # Hartigan's: half the mass of a small mode that is well separated
    p: float  # of the dip test of one mode; NaN if values depend on each other
    grid: Tensor  # (bins,) centres
    density: Tensor  # (bins,) smoothed, integrates to 1
    bandwidth: float

    @property
    def modes(self) -> dict[str, Tensor]:
        """The values of each mode, by name: "left" and "right", or "" for a single mode."""
        return {"": self.right} if self.trough is None else {"left": self.left, "right": self.right}

    @property
    def left_mass(self) -> float:
        """Share of the values in the left mode, 0 when unimodal; compare with the gauge's 1/C."""
        return len(self.left) / (len(self.left) + len(self.right))

    def scalars(self) -> dict[str, float]:
        """Peaks, dip and mass of the left mode; where there are two, the mean of each."""
        named = {"spectrum_peaks": float(len(self.peaks)), "left_mass": self.left_mass}
        named["spectrum_dip"] = self.dip
        if self.trough is not None:
            named["spectrum_trough"] = self.trough
            named["log_spectrum_mean/left"] = float(self.left.mean())
            named["log_spectrum_mean/right"] = float(self.right.mean())
        return named


def split_spectrum(
    log_sigma: Tensor,
    bins: int = 512,
    bandwidth: float | None = None,
    prominence: float = 0.05,
    independent: float | None = None,
    level: float = 0.05,
) -> SpectrumSplit:
    """Split log singular values at the first deepest trough of their density (Brandao et al. 2023).

    The density is a Gaussian-smoothed histogram. Peaks need a prominence of at least `prominence`
    times the highest density; the trough is the lowest point between two peaks, the leftmost of
    equals. The values are not split if there are fewer than two peaks, or if the dip test (Hartigan
    & Hartigan 1985) does not reject one mode.

    Reading it: the paper gives neither bins nor smoothing, so compare a few bandwidths before
    trusting a split. A left mode of mass 1/C is only the softmax gauge direction.

    Args:
        log_sigma: Logarithms of positive singular values, (values,).
        bins: Bins of the histogram.
        bandwidth: Width of the smoothing in log units; Silverman's rule by default.
        prominence: Least prominence of a peak, as a share of the highest density.
        independent: Effective number of independent values, if values of one image depend on each
            other. The test is then conservative, so the result has no p.
        level: Of the dip test; 1 splits whenever there are two peaks.

    Example:
        >>> import torch
        >>> two = torch.cat([torch.linspace(-4, -3, 100), torch.linspace(0, 1, 900)])
        >>> split = split_spectrum(two)
        >>> round(split.trough, 1), split.left_mass
        (-1.5, 0.1)
        >>> split_spectrum(torch.linspace(0, 1, 100)).trough is None
        True
    """
    if check_number("level", level, above=0) > 1:
        raise ValueError(f"level={level} of the dip test is a probability: at most 1")
    shape = spectrum_shape(log_sigma, bins, bandwidth, prominence)
    values = shape.values
    dip = dip_statistic(values)
    p = dip_p(dip, len(values) if independent is None else independent)
    trough = shape.trough if p <= level else None
    cut = -math.inf if trough is None else trough
    return SpectrumSplit(
        trough=trough,
        left=values[values < cut],
        right=values[values >= cut],
        peaks=shape.peaks,
        dip=dip,
        p=p if independent is None else math.nan,
        grid=shape.grid,
        density=shape.density,
        bandwidth=shape.bandwidth,
    )
