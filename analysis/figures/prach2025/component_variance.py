"""Variance explained by the first k principal components.

Reading it: steep, then flat: on CIFAR-10 one component holds 29 %, 16 hold 72 %, 512 hold 98 % and
the last thousand 0.015 %. The crosses are the shares printed in Table 1, for CIFAR-10 at 32 px.
"""

import numpy as np
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.components import whole_images
from analysis.exhibits import NotEnoughError
from analysis.names import data_name
from analysis.published import published
from analysis.series import arrays

source = "Prach & Lampert 2025, Fig. 7"
requires = ("data/variance",)
experiment = "prach2025/components"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Cumulative share against k, of a run on all components."""
    whole = whole_images(runs)
    if whole.empty:
        raise NotEnoughError("no run kept the variances of whole images")
    run = whole.sort_values("n").iloc[-1]
    share = np.cumsum(arrays(run.path, "data/variance_shares")[0])
    figure = Figure(figsize=(5.6, 3.6), layout="constrained")
    axes = figure.subplots()
    name = data_name(run.data)
    k = np.arange(1, len(share) + 1)
    axes.plot(k, share, "o-", markersize=2, label=f"{name}, {run['size']:.0f} px, n = {run.n}")
    if run.data == "cifar10" and run["size"] == 32 and not run.standin:
        known = published("variance_share", "prach2025").set_index("task").value
        first = {int(t.split("-")[1]): v for t, v in known.items() if t.startswith("1-") and
                 "&" not in t}  # fmt: skip
        axes.plot(list(first), list(first.values()), "x", color="black", label="published")
    for mark in (0.5, 0.95):
        axes.axhline(mark, color="grey", linewidth=0.6, linestyle=":")
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("first k principal components")
    axes.set_ylabel("share of the variance")
    axes.legend(loc="lower right")
    return figure, DataFrame([run])
