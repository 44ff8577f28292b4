"""Label sharpness of the labelled images seen."""

from typing import Any

from torch import Tensor
from torchmetrics import Metric
from torchmetrics.utilities import dim_zero_cat

from metrics.functional.label_sharpness import Pairs, label_sharpness


class LabelSharpness(Metric):
    """K_F of all images given to `update`; see `metrics.functional.label_sharpness`.

    Args:
        value_range: width of the pixel range, 1 or 255.
        draws: number of class-balanced samples; 0 uses all images once.
        sample: images of a draw.
        pairs: "all" or "random".
        seed: of draws and random pairs.
        kwargs: of `torchmetrics.Metric`.

    Example:
        >>> import torch
        >>> metric = LabelSharpness()
        >>> metric.update(torch.tensor([[0.0], [0.5], [1.0]]), torch.tensor([0, 1, 1]))
        >>> metric.compute()["k_f"]
        2.0
    """

    is_differentiable = False
    higher_is_better = False
    full_state_update = False

    images: list[Tensor]
    labels: list[Tensor]
    numbers: list[Tensor]
    groups: list[Tensor]

    def __init__(
        self,
        value_range: float = 1.0,
        draws: int = 0,
        sample: int = 1000,
        pairs: Pairs = "all",
        seed: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.value_range, self.draws, self.sample = value_range, draws, sample
        self.pairs, self.seed = pairs, seed
        for state in ("images", "labels", "numbers", "groups"):
            self.add_state(state, default=[], dist_reduce_fx="cat")

    def update(
        self, x: Tensor, y: Tensor, number: Tensor | None = None, group: Tensor | None = None
    ) -> None:
        """Add (B, ...) images and their (B,) labels.

        Args:
            x: images.
            y: labels.
            number: place of each image in the data set. Draws depend on the order of images; with
                numbers they are the same in any batch order and on any number of processes.
            group: patient or volume of each image.
        """
        self.images.append(x)
        self.labels.append(y)
        if number is not None:
            self.numbers.append(number)
        if group is not None:
            self.groups.append(group)

    def compute(self) -> dict[str, float]:
        """The value, its interval and counts, by name."""
        x, y = dim_zero_cat(self.images), dim_zero_cat(self.labels)
        groups = dim_zero_cat(self.groups) if len(self.groups) else None
        if len(self.numbers):
            order = dim_zero_cat(self.numbers).argsort()
            x, y, groups = x[order], y[order], None if groups is None else groups[order]
        return label_sharpness(
            x,
            y,
            groups,
            value_range=self.value_range,
            draws=self.draws,
            sample=self.sample,
            pairs=self.pairs,
            seed=self.seed,
        ).scalars()
