"""What a network uses when features are removed or redundant."""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import networks_of, runs_of
from analysis.bands import finish, legend_below, panel_row, seeds_of
from analysis.names import model_name
from analysis.over_seeds import band
from analysis.settings import setting

WHICH = {"geometry": ("unseen by $G_F$", "tab:blue"), "random": ("random", "tab:orange")}


def feature_elimination(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network."""
    mine = runs_of(runs, "elimination")
    mine = mine.assign(
        which=setting(mine, "data.transforms.remove.which"),
        removed=setting(mine, "data.transforms.remove.count").astype(int),
    )
    models = networks_of(mine)
    figure, row = panel_row(len(models))
    for axes, model in zip(row, models, strict=True):
        part = mine[mine.model == model]
        for which, (label, colour) in WHICH.items():
            style = {"color": colour, "label": label, "marker": "o"}
            band(axes, part[part.which == which], "removed", "test/accuracy", **style)
        finish(
            axes, f"{model_name(model)} ({seeds_of(part)})", "directions removed", "test accuracy"
        )
    legend_below(figure, row)
    return figure, mine


ACCURACIES = ("test/accuracy@linear", "test/accuracy@nonlinear")
PARTS = {"linear": ("line alone", "tab:blue"), "nonlinear": ("circles alone", "tab:orange")}


def simplicity_bias(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network."""
    mine = runs_of(runs, "simplicity", "simplicity_resnet").dropna(subset=list(ACCURACIES))
    mine = mine.assign(u1=setting(mine, "data.law.u1").astype(int))
    models = networks_of(mine)
    figure, row = panel_row(len(models))
    for axes, model in zip(row, models, strict=True):
        part = mine[mine.model == model]
        for name, (label, colour) in PARTS.items():
            style = {"color": colour, "label": label, "marker": "o"}
            band(axes, part, "u1", f"test/accuracy@{name}", **style)
        axes.axhline(0.5, color="tab:gray", linestyle=":", linewidth=1)
        axes.set_ylim(0.4, 1.02)
        title = f"{model_name(model)} ({seeds_of(part)})"
        finish(axes, title, "eigenvector of $G_F$ of the line", "test accuracy")
    legend_below(figure, row)
    return figure, mine
