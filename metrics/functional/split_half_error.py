"""The relative difference of two independent estimates of a geometry."""

import math

from metrics.functional.geometry import Geometry


def split_half_error(a: Geometry, b: Geometry) -> float:
    """Relative error |A - B| / |A + B| of the mean of two independent halves."""
    aa, ab, bb = a.check_nonzero().norm ** 2, a.inner(b), b.check_nonzero().norm ** 2
    return math.sqrt(max(aa - 2 * ab + bb, 0.0) / (aa + 2 * ab + bb))
