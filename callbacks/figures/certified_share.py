"""Certified robust accuracy against the radius."""

import torch
from matplotlib.figure import Figure
from torch import Tensor

from callbacks.figures.titles import set_title
from datamodules.spec import DataSpec
from metrics.functional.certified_curve import certified_curve


def certified_share(radius: Tensor, spec: DataSpec) -> Figure:
    """The share of images certified at every radius up to 1."""
    radii = torch.linspace(0, 1, 256)
    figure = Figure(figsize=(4.5, 3), layout="constrained")
    axes = figure.subplots()
    axes.step((255 * radii).tolist(), certified_curve(radius.cpu(), radii).tolist(), where="post")
    axes.set(xlabel="L2 radius (255ths)", ylabel="certified robust accuracy")
    axes.set(xlim=(0, 255), ylim=(0, 1))
    axes.grid(alpha=0.3)
    set_title(figure, "certified robust accuracy", spec)
    return figure
