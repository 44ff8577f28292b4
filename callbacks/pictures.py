"""Draw images with captions."""

from collections.abc import Sequence

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from torch import Tensor

from datamodules.spec import DataSpec

Caption = tuple[str, str]  # text, colour
GAP = 0.22  # of an image's height, for its caption
SMALLEST = 32  # pixels of a tile; smaller images are enlarged to leave room for a caption


def as_rgb(images: Tensor) -> Tensor:
    """(B, C, H, W) images as (B, H, W, 3) colours in [0, 1].

    Images in [0, 1] are not changed; if a pixel is outside, all are rescaled together.
    """
    images = images.detach().cpu().float()
    low, high = float(images.min()), float(images.max())
    if low < 0 or high > 1:
        images = (images - low) / (high - low)
    return images.expand(-1, 3, -1, -1).permute(0, 2, 3, 1)


def draw(axes: Axes, colours: Tensor, title: str) -> None:
    """One image of `as_rgb` without ticks."""
    axes.imshow(colours.numpy())
    axes.set_title(title, fontsize=8)
    axes.set(xticks=[], yticks=[])


def montage(
    rows: Sequence[Tensor], captions: Sequence[Sequence[Caption]], names: Sequence[str]
) -> Figure:
    """Rows of (B, C, H, W) images, a caption over each image and a name beside each row.

    One picture on one pair of axes: axes for each of 30 images take seconds to lay out.
    """
    colours = as_rgb(torch.cat(list(rows))).unflatten(0, (len(rows), -1))  # (rows, B, H, W, 3)
    enlarged = max(1, SMALLEST // colours.shape[2])
    colours = colours.repeat_interleave(enlarged, 2).repeat_interleave(enlarged, 3)
    _, columns, height, width, _ = colours.shape
    gap, rim = max(1, round(GAP * height)), max(1, width // 16)
    tiles = torch.ones(len(rows), columns, height + gap, width + rim, 3)
    tiles[:, :, gap:, :width] = colours
    step_y, step_x = tiles.shape[2:4]
    figure = Figure(figsize=(1.4 * columns + 0.8, 1.6 * len(rows) + 0.4), layout="constrained")
    axes = figure.subplots()
    axes.imshow(
        tiles.permute(0, 2, 1, 3, 4).reshape(len(rows) * step_y, columns * step_x, 3).numpy()
    )
    for row, line in enumerate(captions):
        for column, (text, colour) in enumerate(line):
            place = column * step_x + width / 2 - 0.5, row * step_y + gap / 2 - 0.5
            axes.text(*place, text, color=colour, fontsize=8, ha="center", va="center")
    centres = [row * step_y + gap + height / 2 for row in range(len(rows))]
    axes.set_yticks(centres, names, fontsize=9)
    axes.tick_params(length=0)
    axes.set_xticks([])
    axes.spines[:].set_visible(False)
    return figure


def heading(figure: Figure, text: str, spec: DataSpec) -> None:
    """Set the figure's title: name of the data, marked if it is a stand-in, and the text."""
    name = f"{spec.name} (stand-in)" if spec.standin else spec.name
    figure.suptitle(f"{name}: {text}", fontsize=10)


def class_name(spec: DataSpec, label: int) -> str:
    """The name of a class, or its number if the network has more outputs than classes."""
    return spec.classes[label] if label < len(spec.classes) else f"output {label}"


def drawn_class_name(spec: DataSpec, label: int) -> str:
    """`class_name`, or "class 3" where the font of figures lacks its signs, as of hiragana."""
    name = class_name(spec, label)
    font = get_font(findfont(FontProperties()))
    return name if all(font.get_char_index(ord(sign)) for sign in name) else f"class {label}"
