"""The density of a log-spectrum: its peaks, and the deepest trough between them."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import conv1d

from metrics.functional.checks import check_logs, check_number, check_whole
from metrics.functional.density_peaks import density_peaks

FLAT = 1e-9  # of the highest density; smaller differences count as equal


@dataclass(frozen=True)
class SpectrumShape:
    """A smoothed histogram; whether its peaks are modes is for a test to decide."""

    values: Tensor  # sorted
    grid: Tensor  # (bins,) centres
    density: Tensor  # (bins,) smoothed, integrates to 1
    bandwidth: float
    peaks: tuple[float, ...]  # positions of the prominent peaks
    trough: float | None  # position of the lowest point between two peaks; None for a single peak

    @property
    def left_mass(self) -> float:
        """Share of the values below the trough, 0 without one."""
        if self.trough is None:
            return 0.0
        return int((self.values < self.trough).sum()) / len(self.values)


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


def spectrum_shape(
    log_sigma: Tensor,
    bins: int = 512,
    bandwidth: float | None = None,
    prominence: float = 0.05,
) -> SpectrumShape:
    """Density of log singular values, a histogram smoothed by a Gaussian, with peaks and trough.

    Peaks need a prominence of at least `prominence` times the highest density; the trough is the
    lowest point between two peaks, the leftmost of equals.

    Reading it: samples of a single mode may have two peaks; `split_spectrum` tests that.

    Args:
        log_sigma: Logarithms of positive singular values, (values,).
        bins: Bins of the histogram.
        bandwidth: Width of the smoothing in log units; Silverman's rule by default.
        prominence: Least prominence of a peak, as a share of the highest density.

    Example:
        >>> two = torch.cat([torch.linspace(-4, -3, 100), torch.linspace(0, 1, 900)])
        >>> shape = spectrum_shape(two)
        >>> round(shape.trough, 1), shape.left_mass, len(shape.peaks)
        (-1.5, 0.1, 2)
    """
    check_whole("bins", bins, least=8)
    if check_number("prominence", prominence, above=0) >= 1:
        raise ValueError(f"prominence={prominence} is a share of the highest peak: below 1")
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
    if len(peaks) > 1:
        step = float(grid[1] - grid[0])
        trough = float(grid[0]) + step * _deepest(heights, peaks, FLAT * top)
    places = tuple(float(grid[peak]) for peak in peaks)
    return SpectrumShape(values, grid, density, h, places, trough)
