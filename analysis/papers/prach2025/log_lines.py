"""Accuracy and certified accuracy against a swept setting, one colour per network."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.budgets import largest_budget
from analysis.printing.names import data_name, model_name
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import band, seeds_note

COLOURS = {
    "aol_mlp": "tab:blue",
    "lcn_cpl": "tab:green",
    "lcn_aol": "tab:olive",
    "simple_convnet": "tab:orange",
}
RADIUS = 36  # of 255: the radius that the paper's headline numbers are at
CRA = f"cra@{RADIUS}"
QUANTITIES = {"accuracy": "accuracy", CRA: f"certified robust accuracy at {RADIUS}/255"}


def network(model: str) -> tuple[str, str]:
    """Name in print and colour; a small version has the colour of its large one.

    >>> network("aol_mlp_small")
    ('AOL-MLP (small)', 'tab:blue')
    """
    return model_name(model), COLOURS.get(model.removesuffix("_small"), "tab:grey")


def scaling_panels(
    runs: DataFrame, experiment: str, x: str, xlabel: str, law: bool = False
) -> tuple[Figure, DataFrame]:
    """Accuracy and CRA against a column or setting `x`: train dashed, test solid.

    With `law`, also the line a + b log(x) through the test values.
    """
    mine = of_experiment(runs, experiment)
    rows = largest_budget(mine[mine.model != "none"]) if x == "n" else mine[mine.model != "none"]
    rows = rows if x in rows else rows.assign(**{x: setting(rows, x)})
    if rows.empty or rows[x].nunique() < 2:
        raise NotEnoughError(f"no network was trained at two values of {x}")
    figure = Figure(figsize=(9.6, 3.9), layout="constrained")
    for axes, (quantity, label) in zip(figure.subplots(1, 2), QUANTITIES.items(), strict=True):
        for (model, data), mine in rows.groupby(["model", "data"]):
            name, colour = network(str(model))
            points = test_and_train(axes, mine, x, quantity, colour, f"{name}, {data_name(data)}")
            if law and points is not None and len(points) > 2:
                slope, level = np.polyfit(np.log(points[x]), points.y, 1)
                axes.plot(points[x], level + slope * np.log(points[x]), ":", color=colour)
        axes.set_xscale("log")
        axes.set_ylim(0, 1.02)
        axes.set_xlabel(xlabel)
        axes.set_ylabel(label)
    handles = figure.axes[0].get_legend_handles_labels()
    seeds = f"; {seeds_note(rows.groupby(['model', 'data', x]).size())}"
    kinds = "solid: test, dashed: train" + (", dotted: a + b log n" if law else "")
    figure.legend(*handles, loc="outside lower center", ncols=4, title=kinds + seeds)
    return figure, rows


def test_and_train(
    axes: Axes, runs: DataFrame, x: str, quantity: str, colour: str, label: str
) -> DataFrame | None:
    """Bands of a quantity of test images (solid) and training images (dashed).

    Returns the points of the test images; None where there are none.
    """
    found = None
    for stage in ("train", "test"):
        column = f"{stage}/{quantity}"
        if column not in runs or runs[column].isna().all():
            found = None
        elif stage == "train":
            band(axes, runs, x, column, color=colour, linestyle="--", marker=".", alpha=0.5)
        else:
            found = band(axes, runs, x, column, color=colour, marker="o", label=label)
    return found


def of_experiment(runs: DataFrame, *names: str) -> DataFrame:
    """The runs of these experiments only: others train with other settings."""
    mine = runs[runs.experiment.isin([f"prach2025/{name}" for name in names])]
    if mine.empty:
        raise NotEnoughError(f"no finished run of prach2025/{names[0]}")
    return mine.reset_index(drop=True)
