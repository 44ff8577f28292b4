"""How the geometry starts to move, over the width of the network.

Reading it: |Corr(Delta_F, S)| of one hidden ReLU layer and |Corr(Delta_F, G_F S G_F)| of a linear
convolution with pooling, before any training. Points: Monte Carlo with the noise of Delta_F taken
out (so that single values may pass 1), bars one standard error over batches of networks; crosses:
noise left in. Lines: Theorems 3.1 and 3.2 with corrected constants. Delta_F itself is negative: the
geometry shrinks where the data is strong.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.bands import finish, seeds_of
from analysis.exhibits import NotEnoughError
from analysis.names import model_name
from analysis.settings import setting

source = "Movahedi et al. 2025, Fig. 7"
requires = ("geometry/delta_corr_s", "geometry/delta_corr_gsg")
experiment = "movahedi2025/width"
LAWS = {
    "perceptron": ("s", "|Corr($\\Delta_F$, S)|", "Theorem 3.1"),
    "linear_convnet": ("gsg", "|Corr($\\Delta_F$, $G_F S G_F$)|", "Theorem 3.2"),
}


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network of a theorem."""
    mine = runs_of(runs, "width").dropna(subset=list(requires))
    mine = mine[mine.model.isin(LAWS)]
    if mine.empty:
        raise NotEnoughError("no run is of a network that the theorems are about")
    mine = mine.assign(width=setting(mine, "model.network.widths").map(lambda widths: widths[0]))
    models = [model for model in LAWS if (mine.model == model).any()]
    figure = Figure(figsize=(3.8 * len(models) + 0.6, 3.6), layout="constrained")
    for axes, model in zip(figure.subplots(1, len(models), squeeze=False)[0], models, strict=True):
        aim, label, theorem = LAWS[model]
        name = f"geometry/delta_corr_{aim}"
        part = mine[mine.model == model].sort_values("width")
        columns = [name, f"{name}_raw", f"{name}_predicted"]
        means = part.groupby("width")[columns].mean().abs()
        error = part.groupby("width")[f"{name}_error"].apply(lambda e: (e**2).sum() ** 0.5 / len(e))
        axes.plot(means.index, means[f"{name}_predicted"], color="tab:gray", label=theorem)
        axes.errorbar(
            means.index, means[name], error, fmt="o", capsize=2, markersize=4, label="measured"
        )
        axes.plot(means.index, means[f"{name}_raw"], "x", color="tab:orange", label="noise left in")
        axes.set_xscale("log", base=2)
        finish(axes, f"{model_name(model)} ({seeds_of(part)})", "width", label)
        axes.legend()
    return figure, mine
