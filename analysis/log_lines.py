"""Accuracy and certified accuracy against something swept over decades, one colour a network."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError

NETWORKS = {
    "aol_mlp": ("AOL-MLP", "tab:blue"),
    "lcn_cpl": ("CPL-LCN", "tab:green"),
    "lcn_aol": ("AOL-LCN", "tab:olive"),
    "simple_convnet": ("SimpleConvNet", "tab:orange"),
}
RADIUS = 36  # of 255: the radius that the paper's headline numbers are at
CRA = f"cra@{RADIUS}"
QUANTITIES = {"accuracy": "accuracy", CRA: f"certified robust accuracy at {RADIUS}/255"}


def network(model: str) -> tuple[str, str]:
    """Name in print and colour; a small version has those of its large one.

    >>> network("aol_mlp_small")
    ('AOL-MLP (small)', 'tab:blue')
    """
    base = model.removesuffix("_small")
    name, colour = NETWORKS.get(base, (base, "tab:grey"))
    return (name if base == model else f"{name} (small)"), colour


def means(runs: DataFrame, x: str, y: str) -> DataFrame:
    """Mean, deviation over seeds and number of runs of `y` at every value of `x`.

    Returns:
        x, mean, sd (0 for one run), runs; by ascending x.
    """
    grouped = runs.dropna(subset=[x, y]).groupby(x)[y]
    table = DataFrame({"mean": grouped.mean(), "sd": grouped.std().fillna(0.0)})
    return table.assign(runs=grouped.size()).reset_index().sort_values(x)


def draw_line(axes: Axes, runs: DataFrame, x: str, y: str, **style: object) -> DataFrame:
    """One line with a band of a deviation where several seeds were run; returns its points."""
    points = means(runs, x, y)
    (line,) = axes.plot(points[x], points["mean"], markersize=4, **style)
    if (points.runs > 1).any():
        ends = points["mean"] - points.sd, points["mean"] + points.sd
        axes.fill_between(points[x], *ends, color=line.get_color(), alpha=0.15, linewidth=0)
    return points


def scaling_panels(
    runs: DataFrame, x: str, xlabel: str, law: bool = False, notes: Mapping[str, str] | None = None
) -> Figure:
    """Two panels: accuracy and CRA against `x` on a logarithmic axis, train dashed, test solid.

    Args:
        runs: finished runs with a network.
        x: column, numbers above 0.
        xlabel: what it is.
        law: draw the line a + b log(x) through the test values too.
        notes: more words for the legend, by model.
    """
    rows = runs[runs.model != "none"]
    if rows.empty or rows[x].nunique() < 2:
        raise NotEnoughError(f"no network was trained at two values of {x}")
    figure = Figure(figsize=(9.6, 3.9), layout="constrained")
    for axes, (quantity, label) in zip(figure.subplots(1, 2), QUANTITIES.items(), strict=True):
        for model, mine in rows.groupby("model"):
            name, colour = network(str(model))
            for stage, style in (("test", "o-"), ("train", ".--")):
                column = f"{stage}/{quantity}"
                if column not in mine or mine[column].isna().all():
                    continue
                shown = f"{name}{(notes or {}).get(str(model), '')}" if stage == "test" else None
                points = draw_line(axes, mine, x, column, color=colour, label=shown,
                                   linestyle=style[1:], marker=style[0],
                                   alpha=1.0 if stage == "test" else 0.5)  # fmt: skip
                if law and stage == "test" and len(points) > 2:
                    slope, level = np.polyfit(np.log(points[x]), points["mean"], 1)
                    axes.plot(points[x], level + slope * np.log(points[x]), ":", color=colour)
        axes.set_xscale("log")
        axes.set_ylim(0, 1.02)
        axes.set_xlabel(xlabel, fontsize=9)
        axes.set_ylabel(label, fontsize=9)
        axes.tick_params(labelsize=8)
        axes.grid(alpha=0.2, linewidth=0.5)
    handles = figure.axes[0].get_legend_handles_labels()
    most = int(rows.groupby(["model", x]).size().max())
    seeds = f"; band: 1 deviation over up to {most} runs" if most > 1 else "; 1 run a point"
    kinds = "solid: test, dashed: train" + (", dotted: a + b log n" if law else "")
    figure.legend(*handles, loc="outside lower center", ncols=4, fontsize=8, frameon=False,
                  title=kinds + seeds, title_fontsize=8)  # fmt: skip
    return figure


def of_experiment(runs: DataFrame, *names: str) -> DataFrame:
    """The runs of these experiments of the paper alone: others train with other settings."""
    mine = runs[runs.experiment.isin([f"prach2025/{name}" for name in names])]
    if mine.empty:
        raise NotEnoughError(f"no finished run of prach2025/{names[0]}")
    return mine.reset_index(drop=True)
