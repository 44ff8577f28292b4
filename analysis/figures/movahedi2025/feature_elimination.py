"""Test accuracy without the directions that vary much and that G_F does not see.

Reading it: against the number of directions removed by the generalised eigenproblem of S and G_F
(blue), and with random directions removed until as much variance is gone (orange). If the network
relies on what G_F sees, blue falls later. Bands: 95 % intervals over seeds.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import networks_of, runs_of
from analysis.bands import finish, legend_below, panel_row, seeds_of
from analysis.names import model_name
from analysis.over_seeds import band
from analysis.settings import setting

source = "Movahedi et al. 2025, Fig. 6"
requires = ("test/accuracy",)
experiment = "movahedi2025/elimination"
WHICH = {"geometry": ("unseen by $G_F$", "tab:blue"), "random": ("random", "tab:orange")}


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
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
