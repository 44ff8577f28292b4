"""Label sharpness of the images of all updates."""

from torch import Tensor
from torchmetrics.utilities import dim_zero_cat

from metrics.functional.label_sharpness import LabelSharpnessResult, Pairs, label_sharpness
from metrics.result_metric import ResultMetric


class LabelSharpness(ResultMetric[LabelSharpnessResult]):
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
        **kwargs: object,
    ) -> None:
        super().__init__(**kwargs)
        self.value_range, self.draws, self.sample = value_range, draws, sample
        self.pairs, self.seed = pairs, seed
        for state in ("images", "labels", "numbers", "groups"):
            self.add_state(state, default=[], dist_reduce_fx="cat")

    def update(
        self, x: Tensor, y: Tensor, number: Tensor | None = None, group: Tensor | None = None
    ) -> None:
        """Add (B, ...) images, their (B,) labels and, if known, their patients or volumes.

        `number` is the index of each image in the data set. Draws depend on the order of images;
        with numbers they are the same in any batch order and on any number of processes.

        Raises:
            ValueError: If numbers or groups came with some batches and not with others.
        """
        for name, new, old in (("number", number, self.numbers), ("group", group, self.groups)):
            if len(self.images) and (new is not None) != bool(len(old)):
                raise ValueError(f"{name} was given for some batches only; give it for all or none")
        states = (self.images, self.labels, self.numbers, self.groups)
        for state, new in zip(states, (x, y, number, group), strict=True):
            if new is not None:
                state.append(new.detach().clone())  # the caller may reuse its buffer

    def from_states(self) -> LabelSharpnessResult:
        """The sharpness of all images."""
        if len(self.images) == 0:
            raise ValueError("the sharpness of 0 images is undefined: call update first")
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
        )
