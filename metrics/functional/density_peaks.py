"""Peaks of a sampled density.

As `scipy.signal.find_peaks`, whose import takes longer than half a second of every run and report.
"""


def density_peaks(density: list[float], prominence: float) -> list[int]:
    """Indices of local maxima that stand out by at least `prominence`.

    A peak's prominence is its height above the higher of the two lowest points that must be crossed
    to reach higher ground on the left and on the right; the ends count as ground. A flat top counts
    at its middle.

    Example:
        >>> density_peaks([0, 3, 2, 2.5, 0, 1, 1, 1, 0], prominence=0.8)
        [1, 6]
    """
    peaks = []
    start = 0
    for end in range(1, len(density) + 1):
        if end < len(density) and density[end] == density[start]:
            continue
        rises = start > 0 and density[start - 1] < density[start]
        falls = end < len(density) and density[end] < density[start]
        if rises and falls:
            height = density[start]
            sides = []
            for side in (reversed(density[:start]), iter(density[end:])):
                lowest = height
                for value in side:
                    if value > height:
                        break
                    lowest = min(lowest, value)
                sides.append(lowest)
            if height - max(sides) >= prominence:
                peaks.append((start + end - 1) // 2)
        start = end
    return peaks
