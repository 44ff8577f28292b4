"""Accuracy and certified robust accuracy on the k components of highest, or of lowest, variance.

Reading it: from the left, how few of the strongest components suffice; below, how many of the
weakest. Accuracy comes back long before certified accuracy does when components are added from
the weak end. The two numbers are of two networks, SimpleConvNet and AOL-MLP.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.components import ACCURATE, ROBUST, component_runs
from analysis.exhibits import NotEnoughError
from analysis.log_lines import CRA, RADIUS
from analysis.over_seeds import band

source = "Prach & Lampert 2025, Fig. 10"
requires = ("test/accuracy",)
experiment = "prach2025/component_counts"
SHOWN = {
    "accuracy": (ACCURATE, "tab:orange", "accuracy (SimpleConvNet)"),
    CRA: (ROBUST, "tab:blue", f"CRA at {RADIUS}/255 (AOL-MLP)"),
}


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Two panels: the strongest k, the weakest k."""
    mine = component_runs(runs, "component_counts", "components")
    mine = mine[mine.augmented]
    mine["k"] = [sum(stop - first for first, stop in keep) for keep in mine.keep]
    first = [len(keep) == 1 and keep[0][0] == 0 for keep in mine.keep]
    last = [len(k) == 1 and k[0][1] == d for k, d in zip(mine.keep, mine.total, strict=True)]
    if not any(first) or mine[first].k.nunique() < 2:
        raise NotEnoughError("no network was trained on two numbers of components")
    figure = Figure(figsize=(9.6, 3.8), layout="constrained")
    titles = {"highest": mine[first], "lowest": mine[last]}
    for axes, (which, part) in zip(figure.subplots(1, 2), titles.items(), strict=True):
        for quantity, (model, colour, label) in SHOWN.items():
            own = part[part.model.str.removesuffix("_small") == model]
            for stage, style in (("test", "o-"), ("train", ".--")):
                if f"{stage}/{quantity}" in own and own[f"{stage}/{quantity}"].notna().any():
                    band(axes, own, "k", f"{stage}/{quantity}", color=colour,
                              marker=style[0], linestyle=style[1:],
                              label=f"{label}, {stage}")  # fmt: skip
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_ylim(0, 1.02)
        axes.set_xlabel(f"k components of {which} variance, of {mine.total.max()}")
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center",
                  ncols=2)  # fmt: skip
    return figure, mine
