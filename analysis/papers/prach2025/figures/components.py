"""Principal components and robust accuracy."""

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.components import (
    ACCURATE,
    ROBUST,
    SAME,
    component_runs,
    table_1,
    whole_images,
)
from analysis.papers.prach2025.log_lines import CRA, RADIUS, lines_of, test_and_train
from analysis.printing.names import data_name
from analysis.published import published
from analysis.runs.series import arrays
from analysis.statistics.grid import one_recipe
from analysis.statistics.over_seeds import seeds_note


def component_variance(runs: DataFrame) -> tuple[Figure, DataFrame]:
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


IMAGES = "data/examples"


def component_images(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One row of images per choice of components."""
    mine = component_runs(runs, "components")
    mine = mine[[bool(arrays(path, IMAGES)) for path in mine.path]]
    whole = [keep == [[0, d]] for keep, d in zip(mine.keep, mine.total, strict=True)]
    if not any(whole):
        raise NotEnoughError("no run on all components has kept its images")
    first = mine[whole].iloc[0]
    same = mine[(mine[SAME] == first[SAME]).all(axis=1)]
    same = same.drop_duplicates("components")
    rows = {first.components: first.path} | dict(zip(same.components, same.path, strict=True))
    figure = Figure(figsize=(7.5, 0.95 * len(rows) + 0.2), layout="constrained")
    grid = figure.subplots(len(rows), 1, squeeze=False)[:, 0]
    for axes, (name, path) in zip(grid, rows.items(), strict=True):
        images = arrays(path, IMAGES)[0]  # (k, C, H, W)
        low, high = images.min(), images.max()
        if low < 0 or high > 1:  # projections may leave the pixels' range
            images = (images - low) / (high - low)
        strip = np.concatenate(list(np.pad(images, ((0, 0), (0, 0), (0, 0), (0, 1)),
                                           constant_values=1.0)), axis=2)  # fmt: skip
        axes.imshow(np.broadcast_to(strip, (3, *strip.shape[1:])).transpose(1, 2, 0))
        axes.set_ylabel(name.replace(" & ", " &\n"), fontsize=8, rotation=0, ha="right",
                        va="center")  # fmt: skip
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
    return figure, same


SHOWN = {
    "accuracy": (ACCURATE, "tab:orange", "accuracy (SimpleConvNet)"),
    CRA: (ROBUST, "tab:blue", f"CRA at {RADIUS}/255 (AOL-MLP)"),
}


def component_counts(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Two panels: the strongest k, the weakest k."""
    mine = component_runs(runs, "component_counts", "components")
    mine = one_recipe(mine[mine.augmented])
    mine["k"] = [sum(stop - first for first, stop in keep) for keep in mine.keep]
    first = [len(keep) == 1 and keep[0][0] == 0 for keep in mine.keep]
    last = [len(k) == 1 and k[0][1] == d for k, d in zip(mine.keep, mine.total, strict=True)]
    if not any(first) or mine[first].k.nunique() < 2:
        raise NotEnoughError("no network was trained on two numbers of components")
    figure = Figure(figsize=(9.6, 3.8), layout="constrained")
    titles = {"highest": mine[first], "lowest": mine[last]}
    for axes, (which, part) in zip(figure.subplots(1, 2), titles.items(), strict=True):
        for line in lines_of(part):
            run = line.runs.iloc[0]
            for quantity, (model, _, label) in SHOWN.items():
                if run.model.removesuffix("_small") == model:
                    named = replace(line, label=f"{label}, {data_name(run.data)}")
                    test_and_train(axes, named, "k", quantity)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set(ylim=(0, 1.02), ylabel="share of images")
        axes.set_xlabel(f"k components of {which} variance, of {mine.total.max()}")
    handles = figure.axes[0].get_legend_handles_labels()
    note = f"solid: test, dashed: train; {seeds_note(mine.groupby(['model', 'data', 'k']).size())}"
    figure.legend(*handles, loc="outside lower center", ncols=2, title=note)
    return figure, mine


def components_bare(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Four bars for each data set and choice of components."""
    mine = component_runs(runs, "components")
    mine = one_recipe(mine[~mine.augmented])
    if mine.empty:
        raise NotEnoughError("no run on some principal components was without augmentation")
    table = table_1(mine)
    width = max(5.6, 1.6 + 1.25 * len(table))  # the legend's
    figure = Figure(figsize=(width, 3.6), layout="constrained")
    axes = figure.subplots()
    at = np.arange(len(table))
    for i, (quantity, (_, colour, label)) in enumerate(SHOWN.items()):
        for j, (stage, alpha) in enumerate((("train", 0.4), ("test", 1.0))):
            axes.bar(
                at + 0.2 * (2 * i + j - 1.5), table[f"{stage}/{quantity}"], 0.18, color=colour,
                alpha=alpha, label=f"{label}, {stage}",
            )  # fmt: skip
    shares = ["" if share != share else f"\n{share:.2%}" for share in table["variance share"]]
    broken = table.components.str.replace(" & ", " &\n")
    sets = table.data.map(data_name)
    names = [f"{s}\n{name}{share}" for s, name, share in zip(sets, broken, shares, strict=True)]
    axes.set_xticks(at, names)
    axes.set_xlabel("principal components, and their share of the variance")
    axes.set(ylim=(0, 1.02), ylabel="share of images, mean over seeds")
    axes.grid(visible=False, axis="x")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure, mine
