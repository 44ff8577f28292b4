"""What a network uses when features are removed or redundant."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.papers.movahedi2025.architectures import networks_of, runs_of
from analysis.papers.movahedi2025.bands import finish, legend_below, panel_row, seeds_of
from analysis.printing.names import model_name
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import band

WHICH = {"geometry": ("unseen by $G_F$", "tab:blue"), "random": ("random", "tab:orange")}

PARTS = {"linear": ("line alone", "tab:blue"), "nonlinear": ("circles alone", "tab:orange")}


def feature_elimination(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network."""
    mine = runs_of(runs, "elimination")
    mine = mine.assign(
        which=setting(mine, "data.transforms.remove.which"),
        removed=setting(mine, "data.transforms.remove.count").astype(int),
    )

    def draw(axes: Axes, part: DataFrame) -> None:
        for which, (label, colour) in WHICH.items():
            style = {"color": colour, "label": label, "marker": "o"}
            band(axes, part[part.which == which], "removed", "test/accuracy", **style)

    return _by_network(mine, draw, "directions removed")


def simplicity_bias(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network."""
    mine = runs_of(runs, "simplicity", "simplicity_resnet")
    mine = mine.dropna(subset=[f"test/accuracy@{name}" for name in PARTS])
    mine = mine.assign(u1=setting(mine, "data.law.u1").astype(int))

    def draw(axes: Axes, part: DataFrame) -> None:
        for name, (label, colour) in PARTS.items():
            style = {"color": colour, "label": label, "marker": "o"}
            band(axes, part, "u1", f"test/accuracy@{name}", **style)
        axes.axhline(0.5, color="tab:gray", linestyle=":", linewidth=1)
        axes.set_ylim(0.4, 1.02)

    return _by_network(mine, draw, "eigenvector of $G_F$ of the line")


def _by_network(
    mine: DataFrame, draw: Callable[[Axes, DataFrame], None], xlabel: str
) -> tuple[Figure, DataFrame]:
    """A panel of accuracies for every network."""
    models = networks_of(mine)
    figure, row = panel_row(len(models))
    for axes, model in zip(row, models, strict=True):
        part = mine[mine.model == model]
        draw(axes, part)
        finish(axes, f"{model_name(model)} ({seeds_of(part)})", xlabel, "test accuracy")
    legend_below(figure, row)
    return figure, mine
