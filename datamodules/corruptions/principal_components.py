"""Images projected on some of their principal components (Prach & Lampert, Table 1)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from datamodules.errors import DataError
from datamodules.split import Split
from metrics.functional.principal_axes import PrincipalAxes


@dataclass
class PrincipalComponents:
    r"""x -> mean + \sum_{i in S} <x - mean, v_i> v_i, with mean and v_i of the training images.

    Reading it: the first few components carry most of the variance and most of the certified
    accuracy; those of little variance suffice for accuracy. Pixels may leave [0, 1]; they are not
    clipped.

    Components without variance (all beyond the number of images) have no order among themselves:
    a choice takes all of them or none.
    """

    # S, as ranges [first, last + 1] counted from 0: [[0, 16], [512, 3072]]
    keep: Sequence[Sequence[int]]

    def __post_init__(self) -> None:
        for first, stop in self.keep:
            if not 0 <= first < stop:
                raise DataError(f"principal_components.keep: [{first}, {stop}] is not a range.")

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Fit on `train`, project both."""
        axes = PrincipalAxes(train.fitted.images().flatten(1))
        kept = self._mask(train.x[0].numel(), axes.rank)

        def projected(split: Split) -> Split:
            x = split.images().flatten(1)
            if kept[-1]:  # the whole tail is kept: subtract the other components
                x = x - axes.project(x, (~kept).nonzero()[:, 0])
            else:
                x = axes.mean.float() + axes.project(x, kept.nonzero()[:, 0])
            return replace(split, x=x.reshape(split.x.shape))

        return projected(train), projected(test)

    def _mask(self, dimension: int, rank: int) -> Tensor:
        kept = torch.zeros(dimension, dtype=torch.bool)
        for first, stop in self.keep:
            if stop > dimension:
                raise DataError(
                    f"principal_components.keep: [{first}, {stop}], but images have {dimension} "
                    f"values; use ranges within [0, {dimension}]."
                )
            kept[first:stop] = True
        tail = kept[rank:]
        if tail.any() and not tail.all():
            raise DataError(
                f"principal_components.keep={[list(r) for r in self.keep]}: the training images "
                f"have {rank} components with variance; beyond {rank} keep all (up to {dimension}) "
                "or none, or raise n."
            )
        return kept
