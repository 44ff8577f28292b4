"""The closest two training images of different labels."""

from collections.abc import Sequence

import torch
from matplotlib.figure import Figure

from callbacks.figures.images import as_rgb
from callbacks.figures.titles import drawn_class_name, set_title
from datamodules.spec import DataSpec
from datamodules.split import Split


def closest_pair(split: Split, pair: Sequence[int], k_f: float, spec: DataSpec) -> Figure:
    """The closest two images of different labels, and where they differ."""
    first, second = pair
    a, b = split.images(slice(first, first + 1))[0], split.images(slice(second, second + 1))[0]
    distance = 255 * float((a.double() - b.double()).norm())
    figure = Figure(figsize=(6.6, 2.7), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    for axes, colours, row in zip(
        (left, middle), as_rgb(torch.stack([a, b])), (first, second), strict=True
    ):
        axes.imshow(colours.numpy())
        axes.set_title(drawn_class_name(spec, int(split.y[row])), fontsize=8)
    apart = (a - b).abs().mean(0).cpu()
    shown = right.imshow(255 * apart.numpy(), cmap="magma", vmin=0)
    unit = "255ths" if spec.value_range is None else "grey levels"
    right.set_title(f"difference ({unit})", fontsize=8)
    for axes in (left, middle, right):
        axes.set(xticks=[], yticks=[])
    figure.colorbar(shown, ax=right, shrink=0.8)
    text = f"closest pair: L2 distance {distance:.4g} {unit}; K_F = {k_f:.3g}"
    if distance == 0:
        text = "equal images with different labels; K_F = infinity"
    set_title(figure, text, spec)
    return figure
