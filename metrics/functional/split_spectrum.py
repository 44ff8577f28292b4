"""Split a log-spectrum into its two modes at the deepest trough."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import conv1d

from metrics.functional.checks import check_logs, check_number, check_whole
from metrics.functional.density_peaks import density_peaks
from metrics.functional.dip import dip_p, dip_statistic

FLAT = 1e-9  # of the highest density; smaller differences count as equal


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


def silverman_bandwidth(ordered: Tensor) -> float:
    """0.9 min(std, IQR / 1.349) n^(-1/5) of sorted values (Silverman 1986, eq. 3.31).

    Example:
        >>> silverman_bandwidth(torch.arange(32.0)) / 32 ** -0.2
        8.30...
    """
    n = len(ordered)
    spread = float(ordered.std(correction=0))
    quartiles = float(ordered[(3 * n) // 4] - ordered[n // 4]) / 1.349
    return 0.9 * (min(spread, quartiles) if quartiles > 0 else spread) * n**-0.2


def _smoothed(values: Tensor, bins: int, h: float) -> tuple[Tensor, Tensor]:
    """Histogram reaching 3 h beyond the data, smoothed by a Gaussian of width h."""
    low, high = float(values[0]) - 3 * h, float(values[-1]) + 3 * h
    width = (high - low) / bins
    index = ((values - low) / width).long().clamp_(0, bins - 1)
    counts = torch.bincount(index, minlength=bins).double()
    reach = min(bins - 1, math.ceil(5 * h / width))
    offsets = torch.arange(-reach, reach + 1, device=values.device).double()
    kernel = torch.exp(-0.5 * (offsets * width / h) ** 2)
    smooth = conv1d(counts[None, None], (kernel / kernel.sum())[None, None], padding=reach)[0, 0]
    centres = low + width * (torch.arange(bins, device=values.device).double() + 0.5)
    return centres, smooth / (len(values) * width)


def _deepest(heights: list[float], peaks: list[int], flat: float) -> float:
    """Index of the lowest point between peaks, the leftmost of equals; the middle of a flat gap."""
    inner = range(peaks[0], peaks[-1] + 1)
    lowest = min(heights[i] for i in inner)
    first = last = next(i for i in inner if heights[i] <= lowest + flat)
    while heights[last + 1] <= lowest + flat:
        last += 1
    return (first + last) / 2


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
        >>> two = torch.cat([torch.linspace(-4, -3, 100), torch.linspace(0, 1, 900)])
        >>> split = split_spectrum(two)
        >>> round(split.trough, 1), split.left_mass
        (-1.5, 0.1)
        >>> split_spectrum(torch.linspace(0, 1, 100)).trough is None
        True
    """
    check_whole("bins", bins, least=8)
    if check_number("prominence", prominence, above=0) >= 1:
        raise ValueError(f"prominence={prominence} is a share of the highest peak: below 1")
    if check_number("level", level, above=0) > 1:
        raise ValueError(f"level={level} of the dip test is a probability: at most 1")
    if bandwidth is not None:
        bandwidth = check_number("bandwidth", bandwidth, above=0)
    values = check_logs("log_sigma", log_sigma, least=1).sort().values
    h = silverman_bandwidth(values) if bandwidth is None else bandwidth
    # A constant spectrum has width 0; any positive bandwidth shows its single peak.
    h = max(h, 1e-9 * max(1.0, float(values.abs().max())))
    grid, density = _smoothed(values, bins, h)
    heights = density.tolist()
    top = max(heights)
    peaks = density_peaks(heights, prominence * top)
    trough = None
    dip = dip_statistic(values)
    p = dip_p(dip, len(values) if independent is None else independent)
    if len(peaks) > 1 and p <= level:
        step = float(grid[1] - grid[0])
        trough = float(grid[0]) + step * _deepest(heights, peaks, FLAT * top)
    cut = -math.inf if trough is None else trough
    return SpectrumSplit(
        trough=trough,
        left=values[values < cut],
        right=values[values >= cut],
        peaks=tuple(float(grid[peak]) for peak in peaks),
        dip=dip,
        p=p if independent is None else math.nan,
        grid=grid,
        density=density,
        bandwidth=h,
    )
