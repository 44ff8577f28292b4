"""Hartigan's dip: how far a sample is from every law with one mode."""

import math

import numpy as np
import torch
from torch import Tensor

MOST = 2048  # of more values use evenly spaced order statistics; the dip changes by up to 1/4096
# share of uniform samples -> sqrt(n) dip that this share exceeds (10,000 samples of 300)
NULL = {
    1.0: 0.1857, 0.9: 0.2819, 0.75: 0.3168, 0.5: 0.3646, 0.25: 0.4213, 0.1: 0.4853, 0.05: 0.5252,
    0.025: 0.5644, 0.01: 0.602, 0.005: 0.6299, 0.001: 0.6945,
}  # fmt: skip


def dip_statistic(values: Tensor) -> float:
    """Largest distance between the empirical distribution and the nearest unimodal one.

        dip = min_{U unimodal} max_x |F_n(x) - U(x)|        (Hartigan & Hartigan 1985)

    Reading it: at least 1/(2n); half the mass of a small mode that is well separated.

    Example:
        >>> dip_statistic(torch.arange(10.0)), dip_statistic(torch.tensor([0.0] * 5 + [1.0] * 5))
        (0.05, 0.25)
    """
    ordered = values.flatten().double().sort().values
    if len(ordered) > MOST:
        places = torch.linspace(0, len(ordered) - 1, MOST, dtype=torch.float64)
        ordered = ordered[places.round().long().to(ordered.device)]
    n = len(ordered)
    if n < 4 or ordered[0] == ordered[-1]:
        return 1 / (2 * n)
    x = [math.nan, *ordered.tolist()]  # counted from 1, as in Hartigan's algorithm AS 217
    # the majorant is the minorant of the mirrored sample
    mirrored = [math.nan, *(-value for value in reversed(x[1:]))]
    below, above = _minorant(x), [n + 1 - k for k in reversed([*_minorant(mirrored)[1:], n + 1])]
    low, high, dip = 1, n, 1.0
    while True:
        gcm, lcm = _chain(below, high, low), _chain(above, low, high)
        apart, i, j = _largest_gap(x, gcm, lcm)
        if apart < dip:
            break
        parts = [(gcm[a + 1], gcm[a], 1) for a in range(i, len(gcm) - 1)]
        parts += [(lcm[a], lcm[a + 1], -1) for a in range(j, len(lcm) - 1)]
        dip = max([dip, *(_departure(x, *part) for part in parts)])
        if (low, high) == (gcm[i], lcm[j]):
            break
        low, high = gcm[i], lcm[j]
    return dip / (2 * n)


def dip_p(dip: float, points: float) -> float:
    """Share of uniform samples of that many independent points with at least this dip.

    Of all laws with one mode the uniform one has the largest dips, so for any other law p is too
    large and the test conservative.

    Example:
        >>> dip_p(0.01, 100), round(dip_p(0.1, 100), 6)
        (1.0, 0.001)
    """
    scaled = math.sqrt(points) * dip
    return float(np.exp(np.interp(scaled, list(NULL.values()), np.log(list(NULL)))))


def _minorant(x: list[float]) -> list[int]:
    """For every point its predecessor on the greatest convex minorant up to it."""
    found = [0, 1, *range(1, len(x) - 1)]
    for j in range(2, len(x)):
        while True:
            a, b = found[j], found[found[j]]
            if a == 1 or (x[j] - x[a]) * (a - b) < (x[a] - x[b]) * (j - a):
                break
            found[j] = b
    return found


def _chain(steps: list[int], start: int, end: int) -> list[int]:
    chain = [start]
    while chain[-1] != end:
        chain.append(steps[chain[-1]])
    return chain


def _largest_gap(x: list[float], gcm: list[int], lcm: list[int]) -> tuple[float, int, int]:
    """Largest distance between minorant and majorant, and where in both chains it is."""
    i, j, place = len(gcm) - 2, 1, (len(gcm) - 1, len(lcm) - 1)
    if len(gcm) == 2 and len(lcm) == 2:
        return 1.0, *place
    largest = 0.0
    while True:
        g, c = gcm[i], lcm[j]
        if g > c:  # the next knot belongs to the majorant
            before = gcm[i + 1]
            slope = (g - before) / (x[g] - x[before])
            apart, where = c - before + 1 - (x[c] - x[before]) * slope, (i + 1, j)
            j += 1
        else:
            before = lcm[j - 1]
            slope = (c - before) / (x[c] - x[before])
            apart, where = (x[g] - x[before]) * slope - (g - before - 1), (i, j)
            i -= 1
        if apart >= largest:
            largest, place = apart, where
        i, j = max(i, 0), min(j, len(lcm) - 1)
        if gcm[i] == lcm[j]:
            return largest, *place


def _departure(x: list[float], first: int, last: int, side: int) -> float:
    """Largest distance of the points from one straight part, above (1) or below it (-1)."""
    if last - first <= 1 or x[last] == x[first]:
        return 1.0
    slope = (last - first) / (x[last] - x[first])
    points = range(first, last + 1)
    return max(side * (k - first - (x[k] - x[first]) * slope) + 1 for k in points)
