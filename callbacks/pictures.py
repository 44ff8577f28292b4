"""Images as people want to see them, on axes of a figure."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor


def draw(axes: Axes, image: Tensor, title: str = "", colour: str = "black") -> None:
    """One (C, H, W) image without ticks: gray for one channel, clipped to [0, 1] for three.

    A gray image keeps black at 0 and white at 1 unless it leaves that range, as synthetic data do.
    """
    image = image.detach().cpu().float()
    if len(image) == 3:
        axes.imshow(image.clamp(0, 1).permute(1, 2, 0).numpy())
    else:
        inside = float(image.min()) >= 0 and float(image.max()) <= 1
        low, high = (0.0, 1.0) if inside else (float(image.min()), float(image.max()))
        axes.imshow(image[0].numpy(), cmap="gray", vmin=low, vmax=high)
    axes.set_title(title, fontsize=8, color=colour)
    axes.set_xticks([])
    axes.set_yticks([])


def heading(figure: Figure, text: str, spec: Any) -> None:
    """The figure's title, with the data's name and, for generated stand-ins, a word that says so."""
    name = f"{spec.name} (stand-in)" if spec.standin else spec.name
    figure.suptitle(f"{name}: {text}", fontsize=10)


def class_name(spec: Any, label: int) -> str:
    """The class's own name, or its number where the network has more outputs than classes."""
    return spec.classes[label] if label < len(spec.classes) else f"output {label}"
