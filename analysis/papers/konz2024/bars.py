"""Bars of intrinsic properties by data set, with intervals and the published values."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from pandas import DataFrame

from analysis.printing.names import DATA, colour, data_name, ordered
from analysis.published import published
from analysis.statistics.grid import main_view, need_isic
from analysis.statistics.over_seeds import bars_of
from analysis.statistics.properties import dataset_properties, measured

LABELS = {
    "d_mle": "$d_{data}$ (MLE)",
    "k_f": "$K_F$, pixels in [0, 255]",
    "k_f_rms": "$K_F$, RMS units",
}
NOTE = "in brackets: draws of images (classes, seeds); bars: 95 % intervals, from three draws on\n"
NOTE += "over them, of one measurement over new images"
WIDEST = 12  # inches of panels side by side; wider ones stand one above the other
PAPER_SIZE = 224  # K_F in pixel units depends on the image size; published values are at this one


def property_bars(properties: DataFrame, quantities: Sequence[str] = tuple(LABELS)) -> Figure:
    """One panel per quantity, one bar per data set, diamonds for published values.

    `properties` is of `dataset_properties`, with the column `size`.
    """
    table = by_domain(properties)
    width = max(2.6, 0.42 * len(table) + 1.2)
    if width * len(quantities) > WIDEST:
        rows, size = len(quantities), (width, 3.0 * len(quantities))
    else:
        rows, size = 1, (width * len(quantities), 3.8)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(rows, len(quantities) // rows, squeeze=False).flat
    for axes, quantity in zip(panels, quantities, strict=True):
        _bars(axes, table, quantity)
    handles = [Patch(color=colour(d), label=d) for d in table.domain.unique()]
    if table.standin.any():
        handles.append(Patch(facecolor="white", edgecolor="grey", hatch="////", label="stand-in"))
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), title=NOTE)
    return figure


def data_properties(runs: DataFrame, isic: bool = False) -> tuple[Figure, DataFrame]:
    """Bars of d and K_F, the main view of every data set; with `isic`, of ISIC too."""
    if isic:
        need_isic(runs)
    view = main_view(measured(runs), isic)
    return property_bars(dataset_properties(view, by=("size",))), view


def by_domain(properties: DataFrame) -> DataFrame:
    """Natural sets first, then medical, ISIC on the right, as in the paper."""
    place = {"natural": 0, "medical": 1}
    names = ordered(properties.data, DATA)
    order = [(place.get(row.domain, 2), names.index(row.data)) for row in properties.itertuples()]
    rows = sorted(range(len(properties)), key=lambda i: order[i])
    return properties.iloc[rows].reset_index(drop=True)


def _bars(axes: Axes, table: DataFrame, quantity: str) -> None:
    at = np.arange(len(table))
    value = table[quantity].to_numpy(float)
    faces = [colour(d) for d in table.domain]
    bars = axes.bar(at, value, color=faces, edgecolor="black", linewidth=0.5)
    for bar, face, standin in zip(bars, faces, table.standin, strict=True):
        bar.set(edgecolor=face, **{"hatch": "////", "facecolor": "white"} if standin else {})
    axes.errorbar(at, value, bars_of(table, quantity), fmt="none", ecolor="black", elinewidth=0.8,
                  capsize=2)  # fmt: skip
    sets = table.d_draws if quantity.startswith("d_") else table.k_draws
    names = [f"{data_name(d)} ({s})" for d, s in zip(table.data, sets, strict=True)]
    axes.set_xticks(at, names, rotation=60, ha="right")
    one = f"n = {table.n.iloc[0]}" if table.n.nunique() == 1 else "largest n of each"
    axes.set_ylabel(LABELS[quantity] + f", {one}" * quantity.startswith("k_f"))
    axes.grid(visible=False, axis="x")
    axes.ticklabel_format(axis="y", style="sci", scilimits=(-3, 4))
    axes.yaxis.offsetText.set_fontsize(7)
    if quantity != "k_f" or (table["size"] == PAPER_SIZE).all():
        known = published(f"data/{quantity}").drop_duplicates("data").set_index("data").value
        shown = [(i, known[d]) for i, d in enumerate(table.data) if d in known]
        if shown:
            axes.plot(*zip(*shown, strict=True), "D", color="black", markersize=3.5,
                      label="published")  # fmt: skip
            axes.legend(fontsize=7)
