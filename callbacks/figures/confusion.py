"""The confusion matrix."""

import torch
from matplotlib.figure import Figure
from torch import Tensor

from callbacks.figures.titles import drawn_class_name, set_title
from datamodules.spec import DataSpec

MOST_CELLS = 20  # classes up to which the counts are written into the figure


def confusion_matrix(counts: Tensor, spec: DataSpec) -> Figure:
    """Share of each true class that is predicted as each class, with the number of images."""
    share = counts / counts.sum(1, keepdim=True).clamp(min=1)
    names = [drawn_class_name(spec, c) for c in range(len(counts))]
    side = 2.4 + 0.45 * min(len(counts), MOST_CELLS)
    figure = Figure(figsize=(side + 0.8, side), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(share, cmap="Blues", vmin=0, vmax=1)
    figure.colorbar(image, ax=axes, label="share of the true class", shrink=0.8)
    if len(counts) <= MOST_CELLS:
        for (row, column), value in zip(
            torch.cartesian_prod(*[torch.arange(len(counts))] * 2).tolist(),
            counts.flatten().tolist(),
            strict=True,
        ):
            colour = "white" if share[row, column] > 0.5 else "black"
            axes.text(column, row, str(value), ha="center", va="center", fontsize=8, color=colour)
        axes.set_xticks(range(len(counts)), names, fontsize=8, rotation=90 if len(names) > 3 else 0)
        axes.set_yticks(range(len(counts)), names, fontsize=8)
    axes.set(xlabel="predicted class", ylabel="true class")
    set_title(figure, f"{int(counts.sum())} test images", spec)
    return figure
