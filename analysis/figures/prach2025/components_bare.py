"""Accuracy and certified robust accuracy on some principal components, without augmentation.

Reading it: Table 1 as bars, for networks that see their images unchanged and so may learn them by
heart: light bars are training images, dark ones test images. The paper fits the training images
robustly even on 16 components; that it is not the projection that forbids certificates, but what
carries over to test images. The numbers below are shares of the variance.
"""

import numpy as np
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.components import component_runs, table_1
from analysis.exhibits import NotEnoughError
from analysis.log_lines import CRA, RADIUS

source = "Prach & Lampert 2025, Fig. 9"
requires = ("test/accuracy",)
experiment = "prach2025/components"
COLOURS = {"accuracy": "tab:orange", CRA: "tab:blue"}
LABELS = {"accuracy": "accuracy (SimpleConvNet)", CRA: f"CRA at {RADIUS}/255 (AOL-MLP)"}


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Four bars a choice of components."""
    mine = component_runs(runs, "components")
    mine = mine[~mine.augmented]
    if mine.empty:
        raise NotEnoughError("no run on some principal components was without augmentation")
    table = table_1(mine)
    figure = Figure(figsize=(1.6 + 1.25 * len(table), 3.6), layout="constrained")
    axes = figure.subplots()
    at = np.arange(len(table))
    for i, (quantity, colour) in enumerate(COLOURS.items()):
        for j, (stage, alpha) in enumerate((("train", 0.4), ("test", 1.0))):
            axes.bar(
                at + 0.2 * (2 * i + j - 1.5), table[f"{stage}/{quantity}"], 0.18, color=colour,
                alpha=alpha, label=f"{LABELS[quantity]}, {stage}",
            )  # fmt: skip
    shares = ["" if share != share else f"\n{share:.2%}" for share in table["variance share"]]
    broken = table.components.str.replace(" & ", " &\n")
    names = [name + share for name, share in zip(broken, shares, strict=True)]
    axes.set_xticks(at, names)
    axes.set_xlabel("principal components, and their share of the variance")
    axes.set_ylim(0, 1.02)
    axes.grid(visible=False, axis="x")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure, mine
