"""Label sharpness of the images of all updates."""

from typing import Any

from torch import Tensor

from metrics.functional.label_sharpness import LabelSharpnessResult, Pairs, label_sharpness
from metrics.result_metric import PooledMetric


class LabelSharpness(PooledMetric[LabelSharpnessResult]):
    """K_F of the images of all updates.

    Reading it: see `metrics.functional.label_sharpness`, which has the same options; others are
    passed to `torchmetrics.Metric`.

    Example:
        >>> import torch
        >>> metric = LabelSharpness()
        >>> metric.update(torch.tensor([[0.0], [0.5], [1.0]]), torch.tensor([0, 1, 1]))
        >>> metric.result().value
        2.0
    """

    higher_is_better = False

    images: list[Tensor]
    numbers: list[Tensor]
    groups: list[Tensor]

    def __init__(
        self,
        value_range: float = 1.0,
        draws: int = 0,
        sample: int = 1000,
        pairs: Pairs = "all",
        seed: int = 0,
        **kwargs: object,
    ) -> None:
        super().__init__(**kwargs)
        self.options: dict[str, Any] = {"value_range": value_range, "draws": draws}
        self.options |= {"sample": sample, "pairs": pairs, "seed": seed}
        self.add_lists("images", "labels", "numbers", "groups")

    def update(
        self, x: Tensor, y: Tensor, number: Tensor | None = None, group: Tensor | None = None
    ) -> None:
        """Add (B, ...) images, their (B,) labels and, if known, their patients or volumes.

        `number` is the index of each image in the data set. Draws depend on the order of images;
        with numbers they are the same in any batch order and on any number of processes.
        """
        for name, new, old in (("number", number, self.numbers), ("group", group, self.groups)):
            if len(self.images) and (new is not None) != bool(len(old)):
                raise ValueError(f"{name} was given for some batches only; give it for all or none")
        self.store(images=x, labels=y, numbers=number, groups=group)

    def from_states(self) -> LabelSharpnessResult:
        """The sharpness of all images."""
        x, y = self.pooled("images"), self.pooled("labels")
        groups = self.pooled("groups") if len(self.groups) else None
        if len(self.numbers):
            order = self.pooled("numbers").argsort()
            x, y, groups = x[order], y[order], None if groups is None else groups[order]
        return label_sharpness(x, y, groups, **self.options)
