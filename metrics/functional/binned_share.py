"""How often a condition holds, by bins of another quantity."""

from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.clopper_pearson import clopper_pearson_lower


@dataclass(frozen=True)
class BinnedShare:
    """Share of hits in bins of equal counts."""

    centre: Tensor  # (bins,) median of the points of each bin
    share: Tensor  # (bins,)
    low: Tensor  # (bins,) exact 95 % interval
    high: Tensor  # (bins,)
    counts: Tensor  # (bins,)


def binned_share(by: Tensor, hits: Tensor, bins: int = 5) -> BinnedShare:
    """Sort points (N,) by a number, cut them into bins of equal counts, count the hits in each.

        share_b = #{i in b : hit_i} / #b,   with the Clopper-Pearson interval at 95 %

    Reading it: where the intervals of the first and the last bin do not overlap, hits depend on the
    number. Equal counts keep all intervals about equally wide; a bin edge may separate ties.

    Example:
        >>> by = torch.tensor([4.0, 1.0, 3.0, 2.0])
        >>> binned_share(by, by < 2.5, bins=2).share.tolist()
        [1.0, 0.0]
    """
    if by.shape != hits.shape or by.ndim != 1 or not bool(by.isfinite().all()):
        raise ValueError(
            f"by of shape {tuple(by.shape)} and hits of shape {tuple(hits.shape)}: "
            "need two (points,), the first finite"
        )
    if not 1 <= bins <= len(by):
        raise ValueError(f"bins={bins} for {len(by)} points; use 1..{len(by)}")
    ordered, order = by.double().sort(stable=True)
    parts = hits[order].tensor_split(bins)
    numbers = ordered.tensor_split(bins)
    counts = torch.tensor([len(part) for part in parts])
    found = torch.tensor([int(part.sum()) for part in parts])
    return BinnedShare(
        centre=torch.stack([part.quantile(0.5) for part in numbers]),
        share=found.double() / counts,
        low=clopper_pearson_lower(found, counts, 0.025),
        high=1 - clopper_pearson_lower(counts - found, counts, 0.025),
        counts=counts,
    )
