"""Which of two features that say the same a network uses: a line or circles.

Reading it: test accuracy with only the line left (blue) and with only the circles left (orange),
against the eigenvector of G_F that the line lies on; the circles lie on two strong ones. A bias to
simplicity takes the line, accuracy 1 and 0.5; where the line is weak in G_F the two should change
places. An MLP should be flat. Bands: 95 % intervals over seeds.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import networks_of, runs_of
from analysis.bands import finish, legend_below, panel_row, seeds_of
from analysis.names import model_name
from analysis.over_seeds import band
from analysis.settings import setting

source = "Movahedi et al. 2025, Fig. 5"
requires = ("test/accuracy@linear", "test/accuracy@nonlinear")
experiment = "movahedi2025/simplicity"
PARTS = {"linear": ("line alone", "tab:blue"), "nonlinear": ("circles alone", "tab:orange")}


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network."""
    mine = runs_of(runs, "simplicity", "simplicity_resnet").dropna(subset=list(requires))
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
