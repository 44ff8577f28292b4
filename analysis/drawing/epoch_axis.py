"""Epochs on a horizontal axis: the untrained network at 0, then a logarithmic scale."""

from matplotlib.axes import Axes

TICKS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def epoch_axis(axes: Axes, last: int) -> None:
    """Scale and label the horizontal axis for epochs 0 to `last`, which has a tick of its own."""
    axes.set_xscale("symlog", linthresh=1, linscale=0.4)
    axes.set_xlim(-0.15, max(last, 1) * 1.15)
    ticks = [*(tick for tick in TICKS if tick < last / 1.6), last]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("epoch")
