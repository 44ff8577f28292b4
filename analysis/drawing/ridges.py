"""Densities above each other, one per epoch."""

from collections.abc import Mapping

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes

HEIGHT = 1.15  # of a ridge, in steps from one to the next


def draw_ridges(axes: Axes, densities: Mapping[int, tuple[np.ndarray, np.ndarray]]) -> None:
    """Ridges from values of log sigma and their density, by epoch, the first at the bottom.

    All ridges are equally high; dots are means.
    """
    for place, (x, density) in enumerate(densities.values()):
        above = place + HEIGHT * density / density.max()
        colour = colormaps["viridis_r"](0.1 + 0.85 * place / max(1, len(densities) - 1))
        order = 2 * (len(densities) - place)  # the earlier lie before the later
        axes.fill_between(x, place, above, color=colour, alpha=0.85, zorder=order, lw=0)
        axes.plot(x, above, color="white", lw=0.7, zorder=order + 1)
        mean = np.average(x, weights=density)
        axes.plot(mean, np.interp(mean, x, above), "o", ms=3, color="black", zorder=99)
    axes.set_yticks(range(len(densities)), [str(epoch) for epoch in densities])
    axes.set_ylabel("epoch")
    axes.set_xlabel("log singular value")
    axes.tick_params(labelsize=7)
