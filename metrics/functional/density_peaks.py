"""Peaks of a sampled density.

As `scipy.signal.find_peaks`, whose import would take half a second or more of every run.
"""

from itertools import groupby, takewhile


def density_peaks(density: list[float], prominence: float) -> list[int]:
    """Indices of local maxima that stand out by at least `prominence`.

    A peak's prominence is its height above the higher of the two lowest points that must be crossed
    to reach higher ground on the left and on the right; the ends count as ground. A flat top counts
    at its middle.

    Example:
        >>> density_peaks([0, 3, 2, 2.5, 0, 1, 1, 1, 0], prominence=0.8)
        [1, 6]
    """
    peaks, end = [], 0
    for height, flat in groupby(density):
        start, end = end, end + len(list(flat))
        inside = start > 0 and end < len(density)
        if inside and max(density[start - 1], density[end]) < height:
            sides = reversed(density[:start]), density[end:]
            lowest = [min(takewhile(lambda v: v <= height, side)) for side in sides]  # noqa: B023
            if height - max(lowest) >= prominence:
                peaks.append((start + end - 1) // 2)
    return peaks
