"""Accuracy and certified accuracy against a swept setting: a line per network and data set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.budgets import STUDY
from analysis.papers.prach2025.experiments import of_experiment, over_sizes
from analysis.printing.names import data_name, model_name
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe, trained
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


MARKERS = "osD^vP*X"


@dataclass(frozen=True)
class Line:
    """The runs of one network and data set, and how they are drawn."""

    runs: DataFrame
    label: str
    colour: str
    marker: str


def lines_of(runs: DataFrame, by: Sequence[str] = STUDY) -> Iterator[Line]:
    """One line per network, data set and size of images (and the other columns of `by`).

    Networks have colours; what differs otherwise has markers, and colours too where there is one
    network. Sizes, and the other columns, are in the label where they vary.
    """
    beside = [name for name in by if name != "model"]
    places = {names: i for i, (names, _) in enumerate(runs.groupby(beside))}
    one_network = runs.model.nunique() == 1 < len(places)
    for names, part in runs.groupby(list(by)):
        own = dict(zip(by, names, strict=True))
        name, colour = network(str(own["model"]))
        label = f"{name}, {data_name(str(own['data']))}"
        if runs["size"].nunique() > 1:
            label += f", {own['size']:g} px"
        for column in by[len(STUDY) :]:
            label += f", {column} = {own[column]:g}" * (runs[column].nunique() > 1)
        place = places[tuple(own[column] for column in beside)]
        colour = f"C{place % 10}" if one_network else colour
        yield Line(part.reset_index(drop=True), label, colour, MARKERS[place % len(MARKERS)])


def scaling_panels(
    runs: DataFrame, experiment: str, x: str, xlabel: str, law: bool = False
) -> tuple[Figure, DataFrame]:
    """Accuracy and CRA against a column or setting `x`: train dashed, test solid.

    With `law`, also the line a + b log(x) through the test values.
    """
    if x == "n":
        rows = over_sizes(runs, experiment)
    else:
        rows = trained(of_experiment(runs, experiment))
        rows = one_recipe(rows.assign(**{x: setting(rows, x)}), swept=["n", "size", x])
    if rows.empty or rows[x].nunique() < 2:
        raise NotEnoughError(f"no network was trained at two values of {x}")
    by = STUDY if x == "n" else [*STUDY, "n"]
    figure = Figure(figsize=(9.6, 3.9), layout="constrained")
    for axes, (quantity, label) in zip(figure.subplots(1, 2), QUANTITIES.items(), strict=True):
        for line in lines_of(rows, by):
            points = test_and_train(axes, line, x, quantity)
            if law and points is not None and len(points) > 2:
                slope, level = np.polyfit(np.log(points[x]), points.y, 1)
                axes.plot(points[x], level + slope * np.log(points[x]), ":", color=line.colour)
        axes.set_xscale("log")
        axes.set_ylim(0, 1.02)
        axes.set_xlabel(xlabel)
        axes.set_ylabel(label)
    handles = figure.axes[0].get_legend_handles_labels()
    seeds = f"; {seeds_note(rows.groupby([*by, x]).size())}"
    kinds = "solid: test, dashed: train" + (", dotted: a + b log n" if law else "")
    figure.legend(*handles, loc="outside lower center", ncols=4, title=kinds + seeds)
    return figure, rows


def test_and_train(axes: Axes, line: Line, x: str, quantity: str) -> DataFrame | None:
    """Bands of a quantity of test images (solid) and training images (dashed).

    Returns the points of the test images; None where there are none.
    """
    found, runs = None, line.runs
    style = {"color": line.colour, "marker": line.marker}
    for stage in ("train", "test"):
        column = f"{stage}/{quantity}"
        if column not in runs or runs[column].isna().all():
            found = None
        elif stage == "train":
            band(axes, runs, x, column, **style, linestyle="--", markersize=2.5, alpha=0.5)
        else:
            found = band(axes, runs, x, column, **style, label=line.label)
    return found
