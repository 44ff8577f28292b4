"""Data sets by intrinsic dimension and label sharpness."""

from typing import Any

from matplotlib.figure import Figure

from analysis.difficulty import Difficulty, known_sets
from analysis.drawing.point_names import name_point
from analysis.printing.names import colour, marker, plain


def landscape(found: Difficulty) -> Figure:
    """The published sets, and one more with its intervals; an arrow to where it is comparable."""
    figure = Figure(figsize=(6.4, 4.6), layout="constrained")
    axes = figure.subplots()
    others = known_sets()
    for domain, part in others.groupby("domain"):
        axes.scatter(part.d, part.k_f, s=28, color=colour(domain), marker=marker(domain),
                     label=f"{domain} (published)")  # fmt: skip
        for row in part.itertuples():
            name_point(axes, row.data, domain, row.d, row.k_f)
    d, k, measured = found.dimension, found.comparable, found.sharpness
    sides: dict[str, Any] = {
        "xerr": [[d.value - d.low], [d.high - d.value]],
        "yerr": [[k.value - k.low], [k.high - k.value]],
    }
    axes.errorbar(d.value, k.value, **sides, fmt="*", color="crimson", markersize=13, capsize=3,
                  label=f"{plain(found.name)}, n = {found.n}")  # fmt: skip
    axes.plot([d.value, d.value], [k.value, measured.value], ":", color="crimson", linewidth=1)
    axes.plot(d.value, measured.value, "*", color="crimson", markerfacecolor="white",
              markersize=11, label="its $K_F$ over all pairs")  # fmt: skip
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")
    axes.set_xlabel("intrinsic dimension $d$ (MLE): more images for the same loss →")
    axes.set_ylabel("label sharpness $K_F$, RMS units: more fragile →")
    axes.tick_params(labelsize=8, which="both")
    axes.grid(which="both")
    axes.margins(x=0.14, y=0.1)
    figure.legend(loc="outside lower center", ncols=3)
    return figure
