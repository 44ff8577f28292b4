"""Base class of networks: features, a linear head, taps and initialisation."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from torch import Tensor, nn

DrawLayer = Callable[[Any], None]  # draws one layer, in place


class Network(nn.Module, ABC):
    """An image classifier: pixels in [0, 1] of shape (B, C, H, W) to scores of shape (B, outputs).

    A network is `head(features(x))`; the layer name `penultimate` means the features. The first
    three arguments of the constructor come from the data: `in_channels` and `size` (height and
    width) of the images, and `outputs`, the number of scores. The others are options.

    Attributes:
        taps: aliases of layers to measure, with the dotted names of the modules.
        head: the last layer, linear in the features: an `nn.Linear` unless it is kept 1-Lipschitz.
        symmetries: reorderings of the input that do not change the distribution of a random
            network, nor its average geometry, named as in `metrics.functional.geometry_symmetry`.
        patch: side of a patch, for the symmetry `tokens`.
    """

    taps: ClassVar[dict[str, str]] = {}
    head: nn.Module
    symmetries: tuple[str, ...] = ()
    patch: int | None = None

    @abstractmethod
    def features(self, x: Tensor) -> Tensor:
        """Return the final hidden representation, of shape (B, F)."""

    def forward(self, x: Tensor) -> Tensor:
        """Return the scores, of shape (B, outputs)."""
        return self.head(self.features(x))

    def reset_parameters(self) -> None:
        """Redraw all parameters in place, from their initial distributions.

        Here every layer has torch's default initialisation; a network with another one overrides
        this method. Uses torch's global generator, like the layers.
        """
        reset_layers(self, {})


def reset_layers(module: nn.Module, draws: Mapping[type[nn.Module], DrawLayer]) -> None:
    """Redraw the layers of a network or of a part of one, in place, each once.

    `draws` has functions that draw a layer of a type; layers of other types, and parts with their
    own `reset_parameters`, redraw themselves.
    """
    for child in module.children():
        draw = draws.get(type(child), getattr(type(child), "reset_parameters", None))
        if draw is None:
            reset_layers(child, draws)
        else:
            draw(child)


def require_size(size: int, smallest: int, network: str, instead: str = "model=mlp") -> None:
    """ValueError if images are too small for a network; it suggests what to use `instead`."""
    if size < smallest:
        raise ValueError(
            f"size={size} is too small for {network}, which needs at least {smallest} px; "
            f"use larger images (data.size={smallest}) or {instead}"
        )
