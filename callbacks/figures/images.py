"""Images with captions: test images, clean and attacked."""

from collections.abc import Sequence

import torch
from matplotlib.figure import Figure
from torch import Tensor

from callbacks.figures.titles import drawn_class_name, set_title
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


def attacked_images(
    images: Sequence[Tensor],
    predictions: Sequence[Tensor],
    y: Tensor,
    eps: Sequence[float],
    misled: str,
    spec: DataSpec,
) -> Figure:
    """One column per image, clean on top, then attacked at each eps; a wrong prediction is red.

    Where the clean image is misclassified, the true class is below the prediction.

    `misled` is the share of test images that the largest attack misleads, as text.
    """
    captions = [
        [
            (drawn_class_name(spec, guess), "black" if guess == label else "crimson")
            for guess, label in zip(row.tolist(), y.tolist(), strict=True)
        ]
        for row in predictions
    ]
    captions[0] = [
        (text if colour == "black" else f"{text}\ntrue: {drawn_class_name(spec, label)}", colour)
        for (text, colour), label in zip(captions[0], y.tolist(), strict=True)
    ]
    levels = [f"{255 * size:g}/255" for size in eps]
    figure = montage(images, captions, ["clean", *levels])
    text = f"at {levels[-1]} FGSM misleads the network on {misled}; wrong predictions are red"
    set_title(figure, text, spec)
    return figure
