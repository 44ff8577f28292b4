"""Accuracy against robustness, and additional generated images."""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.papers.prach2025.log_lines import CRA, RADIUS, scaling_panels
from analysis.papers.prach2025.tradeoff import CELL, by_t
from analysis.printing.names import data_name, model_name
from analysis.published import published
from analysis.statistics.over_seeds import bars_of, seeds_note


def generated_data(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Both accuracies of every network; the published point where data are real."""
    label = "generated training images n"
    figure, mine = scaling_panels(runs, "generated_data", "n", label, law=True)
    if not mine.standin.any():
        known = published(f"test/{CRA}", "prach2025", model="related_work")
        figure.axes[1].plot(known.n, known.value, "x", color="black")
    return figure, mine


def tradeoff(runs: DataFrame) -> Figure:
    """One line per network, data set and n, through its values of t."""
    table = by_t(runs)
    figure = Figure(figsize=(6.0, 4.2), layout="constrained")
    axes = figure.subplots()
    for (model, data, _, n), part in table.groupby(CELL[:-1]):
        label = f"{model_name(model)}, {data_name(data)}, n = {n}: {seeds_note(part.runs)}"
        axes.errorbar(
            part.accuracy, part.cra, bars_of(part, "cra"), bars_of(part, "accuracy"), fmt="o-",
            markersize=4, linewidth=0.8, elinewidth=0.6, label=label,
        )  # fmt: skip
        for place, row in enumerate(part.itertuples()):  # in turn right and left of the points
            side = {"xytext": (6, 3)} if place % 2 == 0 else {"xytext": (-6, 3), "ha": "right"}
            axes.annotate(f"t = {row.t:g}", (row.accuracy, row.cra), **side,
                          textcoords="offset points", fontsize=7)  # fmt: skip
    accuracy = published("test/accuracy", "prach2025", item="Table 3").set_index("level").value
    cra = published(f"test/{CRA}", "prach2025", item="Table 3").set_index("level").value
    axes.plot(accuracy, cra[accuracy.index], "*", color="black", label="published, CIFAR-10")
    for t in accuracy.index:
        axes.annotate(f"t = {t:g}", (accuracy[t], cra[t]), xytext=(5, -10),
                      textcoords="offset points", fontsize=7)  # fmt: skip
    axes.set_xlabel("test accuracy")
    axes.set_ylabel(f"certified robust accuracy at {RADIUS}/255")
    axes.margins(x=0.12, y=0.1)
    figure.legend(loc="outside lower center")
    return figure
