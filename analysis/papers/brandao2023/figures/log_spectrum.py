"""Mean log singular value of point Jacobians, under noise and through training."""

from collections.abc import Mapping

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.drawing.epoch_axis import epoch_axis
from analysis.drawing.panel_grid import panel_grid
from analysis.exhibits import NotEnoughError
from analysis.papers.brandao2023.spectra import KINDS, MEAN, cells, level_name, of_kind
from analysis.printing.names import data_name, model_name, networks_of, ordered
from analysis.runs.series import series
from analysis.statistics.over_seeds import (
    bar_line,
    ends_of,
    over_seeds,
    over_seeds_by_epoch,
    seeds_note,
)


def log_spectrum_epochs(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network, data set and kind of noise; one line per level."""
    mine = of_kind(runs, *KINDS)
    panels = cells(mine)
    figure, grid = panel_grid(len(panels), height=3.4)
    for axes, (title, part) in zip(grid.flat, panels, strict=False):
        measured = series(part, MEAN)
        lines_by_level(axes, measured, {MEAN: "o-"})
        epoch_axis(axes, measured.epoch.max())
        axes.set_title(f"{title}\n{seeds_note(part.groupby('level').size())}", fontsize=8)
    for axes in grid[:, 0]:
        axes.set_ylabel("E[log \u03c3], training images")
    return figure, mine


def lines_by_level(axes: Axes, table: DataFrame, styles: Mapping[str, str]) -> None:
    """Quantities against the epoch with bands over seeds, from key, epoch, kind and level.

    One colour per level of noise, one line style per quantity.
    """
    levels = sorted(table.level.unique())
    for quantity, style in styles.items():
        for place, level in enumerate(levels):
            shade = colormaps["plasma"](0.05 + 0.8 * place / max(1, len(levels) - 1))
            points = over_seeds_by_epoch(table[table.level == level], quantity)
            name = level_name(table.kind.iloc[0], level)
            label = name if len(styles) == 1 else f"{name}, {quantity}"
            axes.plot(points.epoch, points.y, style, ms=3, lw=1, color=shade, label=label)
            epochs = points.epoch.astype(float)
            axes.fill_between(epochs, *ends_of(points), color=shade, alpha=0.15, lw=0)
    axes.legend(fontsize=7)


APART = 0.05  # of the way from one level to the next
LINES = {
    "train/log_spectrum_mean": ("train", {"color": "tab:blue", "fmt": "o-"}),
    "test/log_spectrum_mean": ("test", {"color": "tab:green", "fmt": "s--"}),
    "train/log_spectrum_mean@centred": ("train, centred", {"color": "tab:purple", "fmt": "^-"}),
    "test/log_spectrum_mean@centred": ("test, centred", {"color": "tab:pink", "fmt": "v--"}),
}


def log_spectrum_noise(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network, data set and kind of noise."""
    mine = of_kind(runs, *KINDS)
    panels = cells(mine)
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
        axes.set_title(f"{title}\n{seeds_note(part.groupby('level').size())}", fontsize=8)
    for axes in grid[:, 0]:
        axes.set_ylabel("E[log \u03c3]")
    handles = grid[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=min(4, 2 * len(panels)))
    return figure, mine


PIXELS = {
    "unchanged": "true",
    "shuffled_pixels": "shuffled",
    "random_pixels": "random",
    "gaussian_pixels": "Gaussian",
}
PANELS = {
    "train/log_spectrum_mean": "E[log \u03c3], training images",
    "train/log_spectrum_mean@centred": "the same, centred",
    "test/accuracy": "test accuracy",
}


def pixel_corruptions(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per quantity, one line per network and data set."""
    mine = of_kind(runs, "pixels")
    mine = mine.assign(corruption=[name.split(".")[-2] for name in mine.pixels])
    kinds = ordered(mine.corruption, PIXELS)
    if len(kinds) < 2:
        raise NotEnoughError("no network was trained on images with and without a corruption")
    shown = {column: label for column, label in PANELS.items() if column in mine}
    figure, grid = panel_grid(len(shown), height=3.0)
    for axes, (column, label) in zip(grid.flat, shown.items(), strict=True):
        for data, here in mine.groupby("data"):
            for model in networks_of(here):
                part = here[here.model == model]
                points = over_seeds(part, ["corruption"], column)
                places = [kinds.index(kind) for kind in points.corruption]
                points = points.iloc[sorted(range(len(places)), key=places.__getitem__)]
                name = f"{model_name(model)}, {data_name(data)}"
                bar_line(axes, sorted(places), points, fmt="o-",
                         label=f"{name}\n{seeds_note(points.runs)}")  # fmt: skip
        axes.set_xticks(range(len(kinds)), [PIXELS.get(kind, kind) for kind in kinds])
        axes.set_ylabel(label)
        axes.set_xlabel("pixels")
    grid[0, 0].legend(fontsize=7)
    return figure, mine
