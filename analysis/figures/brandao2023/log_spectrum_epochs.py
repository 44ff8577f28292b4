"""Mean log spectrum through training, by level of noise.

Reading it: at the same epoch the order may be the reverse of that at overfit: early on, noise
keeps a network small; it takes longer to fit and ends larger. A line ends where its runs do (at
their mean epoch), so compare ends with ends, and epochs with epochs. Bands are 95 % intervals over
seeds.
"""

from matplotlib import colormaps
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.epoch_axis import epoch_axis
from analysis.exhibits import NotEnoughError
from analysis.over_seeds import over_seeds_by_epoch
from analysis.panel_grid import panel_grid
from analysis.series import series
from analysis.spectra import KINDS, cells, level_name, with_noise

source = "Brandao et al. 2023, a view of our own"
requires = ("train/log_spectrum_mean",)
experiment = "brandao2023/label_noise"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network, data set and kind of noise; one line per level."""
    mine = with_noise(runs)
    panels = cells(mine[mine.kind.isin(KINDS)])
    if not panels:
        raise NotEnoughError("no network with spectra was trained under noise")
    figure, grid = panel_grid(len(panels))
    for axes, (title, part) in zip(grid.flat, panels, strict=False):
        measured = series(part, "train/log_spectrum_mean")
        levels = sorted(part.level.unique())
        for place, level in enumerate(levels):
            shade = colormaps["plasma"](0.05 + 0.8 * place / max(1, len(levels) - 1))
            points = over_seeds_by_epoch(measured[measured.level == level], "value")
            name = level_name(part.kind.iloc[0], level)
            axes.plot(points.epoch, points["mean"], "o-", ms=3, lw=1, color=shade, label=name)
            axes.fill_between(points.epoch.astype(float), points.low, points.high, color=shade,
                              alpha=0.15, lw=0)  # fmt: skip
        epoch_axis(axes, measured.epoch.max())
        axes.set_title(title, fontsize=8)
        axes.legend(fontsize=7)
    for axes in grid[:, 0]:
        axes.set_ylabel("E[log \u03c3], training images")
    return figure, mine[mine.kind.isin(KINDS)]
