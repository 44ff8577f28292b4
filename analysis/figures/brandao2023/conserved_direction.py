"""The direction of the logits that plain SGD never learns along.

Reading it: cross-entropy does not change when all logits are shifted alike, so the sum of the
head's rows stays as it was drawn, and with it one singular value of the Jacobian. Above: the share
of values left of the trough, which settles at 1/C (dashed) once the others have left; 0 where the
spectrum has one mode. Below: the smallest singular value of an image, raw and with that direction
projected out. Where the raw one stays near its initial size while the centred one grows, the left
mode is the gauge and no discovery. Weight decay or Adam break it. Means over seeds.
"""

import numpy as np
import torch
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.epoch_axis import epoch_axis
from analysis.exhibits import NotEnoughError
from analysis.over_seeds import over_seeds_by_epoch
from analysis.series import arrays
from analysis.spectra import KINDS, cells, level_name, with_noise
from metrics.functional.log_spectrum import log_spectrum

source = "Brandao et al. 2023, the cause of the two modes"
requires = ("train/log_spectrum_mean", "train/log_spectrum_mean@centred")
experiment = "brandao2023/label_noise"
COLUMNS = 4  # networks side by side


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """A column per network, data set and kind of noise."""
    mine = with_noise(runs)
    panels = cells(mine[mine.kind.isin(KINDS)])[:COLUMNS]
    measured = [(title, through_training(part)) for title, part in panels]
    measured = [(title, table) for title, table in measured if len(table)]
    if not measured:
        raise NotEnoughError("no run kept its singular values in both gauges")
    figure = Figure(figsize=(3.6 * len(measured) + 0.4, 5.6), layout="constrained")
    grid = figure.subplots(2, len(measured), sharex="col", squeeze=False)
    for column, (title, table) in enumerate(measured):
        above, below = grid[:, column]
        lines(above, table, {"left_mass": "-"})
        above.axhline(1 / table.classes.iloc[0], color="black", ls="--", lw=0.8, label="1/C")
        above.set_title(title, fontsize=8)
        lines(below, table, {"raw": "-", "centred": ":"})
        epoch_axis(below, table.epoch.max())
        for axes in (above, below):
            axes.legend(fontsize=7)
    grid[0, 0].set_ylabel("mass of the left mode")
    grid[1, 0].set_ylabel("E[log of the smallest \u03c3]")
    return figure, mine[mine.kind.isin(KINDS)]


def through_training(part: DataFrame) -> DataFrame:
    """Left mass and the mean log of the smallest singular value, of every run and epoch."""
    rows = []
    for _, run in part.iterrows():
        centred = arrays(run.path, "train/singular_values_centred")
        for epoch, raw in arrays(run.path, "train/singular_values").items():
            if epoch not in centred:
                continue
            row = {name: run[name] for name in ("key", "kind", "level")}
            row |= {"epoch": epoch, "classes": raw.shape[1]}
            row["left_mass"] = log_spectrum(torch.from_numpy(raw)).split.left_mass
            for gauge, values in (("raw", raw), ("centred", centred[epoch])):
                row[gauge] = float(np.log(values.min(1)).mean())
            rows.append(row)
    return DataFrame(rows)


def lines(axes: Axes, table: DataFrame, styles: dict[str, str]) -> None:
    """Each quantity against epochs, one colour per level of noise."""
    levels = sorted(table.level.unique())
    for quantity, style in styles.items():
        for place, level in enumerate(levels):
            shade = colormaps["plasma"](0.05 + 0.8 * place / max(1, len(levels) - 1))
            points = over_seeds_by_epoch(table[table.level == level], quantity)
            name = level_name(table.kind.iloc[0], level)
            label = name if quantity == "left_mass" else f"{name}, {quantity}"
            axes.plot(points.epoch, points["mean"], style, color=shade, lw=1.2, label=label)
