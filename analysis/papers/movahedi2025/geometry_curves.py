"""Curves of G^t through training: correlations (Figs. 2, 8) and velocities (Figs. 3, 12, 13)."""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.architectures import networks_of, runs_of
from analysis.papers.movahedi2025.bands import finish, seeds_of
from analysis.printing.names import model_name
from analysis.runs.series import series
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import band

CHANCE = "tab:gray"
AIMS = {"s": ("S", "tab:orange"), "gsg": (r"$G_F\,S\,G_F$", "tab:blue")}
DATA = {False: (r"along $G_F$", "tab:blue"), True: (r"against it, flip($G_F$)", "tab:red")}
ACCURACY = "train/running_accuracy"


def correlation_panels(runs: DataFrame, experiment: str) -> tuple[Figure, DataFrame]:
    """Corr(G^t, S) and Corr(G^t, G_F S G_F) of every network, with its training accuracy."""
    mine = runs_of(runs, experiment)
    models = networks_of(mine)
    figure = Figure(figsize=(3.7 * len(models) + 0.6, 3.6), layout="constrained")
    for axes, model in zip(figure.subplots(1, len(models), squeeze=False)[0], models, strict=True):
        part = mine[mine.model == model]
        for name, (label, colour) in AIMS.items():
            table = series(part, f"geometry/corr_{name}")
            width = 3.0 if name == "s" else 1.4  # both are seen where they coincide
            style = {"color": colour, "linewidth": width, "label": f"Corr with {label}"}
            band(axes, table, "epoch", "value", **style)
        band(
            axes, series(part, ACCURACY), "epoch", "value",
            color="tab:green", linestyle="--", label="train accuracy",
        )  # fmt: skip
        dimension = int(part.channels.iloc[0] * part["size"].iloc[0] ** 2)
        axes.axhline(dimension**-0.5, color=CHANCE, linestyle=":", linewidth=1)
        members = setting(part, "model.members", 1).iloc[0]
        title = f"{model_name(model)}: {members} networks, {seeds_of(part)}"
        finish(axes, title, "epoch", "correlation, accuracy")
        axes.set_ylim(0, 1.02)
    handles = figure.axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3)
    return figure, mine


def velocity_panels(mine: DataFrame, by: str) -> tuple[Figure, DataFrame]:
    """Velocity (above) and training accuracy (below) on both data, one column per value of `by`."""
    mine = mine.assign(flip=setting(mine, "data.law.flip", default=False).astype(bool))
    if mine.flip.nunique() < 2:
        raise NotEnoughError("no network was trained both on data along G_F and against it")
    columns = networks_of(mine) if by == "model" else sorted(mine[by].unique())
    figure = Figure(figsize=(3.3 * len(columns) + 0.6, 5.4), layout="constrained")
    grid = figure.subplots(2, len(columns), squeeze=False, sharex="col", sharey="row")
    for place, value in enumerate(columns):
        part = mine[mine[by] == value]
        for flip, (label, colour) in DATA.items():
            some = part[part.flip == flip]
            style = {"color": colour, "label": label, "linewidth": 1.4 if flip else 3.0}
            band(grid[0, place], series(some, "geometry/velocity"), "epoch", "value", **style)
            band(grid[1, place], series(some, ACCURACY), "epoch", "value", **style)
        title = model_name(value) if by == "model" else f"{by} = {value:,}"
        finish(grid[0, place], f"{title} ({seeds_of(part)})", "", "velocity" * (place == 0))
        finish(grid[1, place], "", "epoch", "train accuracy" * (place == 0))
        grid[0, place].set_yscale("log")
    handles = grid[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=2)
    return figure, mine
