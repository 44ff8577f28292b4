"""A curve in one line of text."""

import math
from collections.abc import Sequence

BLOCKS = "▁▂▃▄▅▆▇█"
WIDTH = 10  # characters


def sparkline(values: Sequence[float]) -> str:
    """The last values as blocks, the lowest block for the smallest value.

    >>> sparkline([0.0, 1.0, 2.0, 7.0]), sparkline([3.0, 3.0]), sparkline([1.0, math.nan, 0.0])
    ('▁▂▃█', '▁▁', '█▁')
    """
    shown = [value for value in values if math.isfinite(value)][-WIDTH:]
    low, high = min(shown, default=0.0), max(shown, default=0.0)
    step = (high - low) / (len(BLOCKS) - 1) or math.inf
    return "".join(BLOCKS[round((value - low) / step)] for value in shown)
