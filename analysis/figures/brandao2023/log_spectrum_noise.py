"""Mean log spectrum at overfit against the noise it was trained under.

Reading it: the paper's claim is that every line rises, as E[log sigma] is its measure of how
complex a fit is. Bars are 95 % intervals over seeds, so two levels whose bars overlap do not show
it. The raw mean counts in the direction that softmax ignores, which noise does not move; the
centred one leaves it out. Noise is in the training set only, so that test images are clean.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.over_seeds import bar_line, over_seeds, seeds_note
from analysis.panel_grid import panel_grid
from analysis.spectra import KINDS, cells, with_noise

source = "Brandao et al. 2023, claim of section 4; appendix 1.7"
requires = ("train/log_spectrum_mean",)
experiment = "brandao2023/label_noise"
APART = 0.05  # of the way from one level to the next
LINES = {
    "train/log_spectrum_mean": ("train", {"color": "tab:blue", "fmt": "o-"}),
    "test/log_spectrum_mean": ("test", {"color": "tab:green", "fmt": "s--"}),
    "train/log_spectrum_mean@centred": ("train, centred", {"color": "tab:purple", "fmt": "^-"}),
    "test/log_spectrum_mean@centred": ("test, centred", {"color": "tab:pink", "fmt": "v--"}),
}


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network, data set and kind of noise."""
    mine = with_noise(runs)
    panels = cells(mine[mine.kind.isin(KINDS)])
    if not panels:
        raise NotEnoughError("no network with spectra was trained under noise")
    figure, grid = panel_grid(len(panels), height=3.4)
    for axes, (title, part) in zip(grid.flat, panels, strict=False):
        levels = sorted(part.level.unique())
        for i, (column, (label, style)) in enumerate(LINES.items()):
            if column in part:
                points = over_seeds(part, ["level"], column)
                aside = APART * (i - (len(LINES) - 1) / 2)  # bars beside, not over, each other
                places = [levels.index(level) + aside for level in points.level]
                bar_line(axes, places, points, label=label, **style)
        axes.set_xticks(range(len(levels)), [f"{level:g}" for level in levels])
        axes.set_xlim(-0.5, len(levels) - 0.5)
        axes.set_xlabel(KINDS[part.kind.iloc[0]])
        note = seeds_note(over_seeds(part, ["level"], "train/log_spectrum_mean").runs)
        axes.set_title(f"{title}\n{note}", fontsize=8)
    for axes in grid[:, 0]:
        axes.set_ylabel("E[log \u03c3]")
    handles = grid[0, 0].get_legend_handles_labels()
    figure.legend(
        *handles,
        loc="outside lower center",
        ncols=min(4, 2 * len(panels)),
    )
    return figure, mine[mine.kind.isin(KINDS)]
