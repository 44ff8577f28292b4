"""Random samples with the same number of images of every class."""

import torch
from torch import Tensor


def balanced_draws(y: Tensor, draws: int, sample: int, generator: torch.Generator) -> list[Tensor]:
    """Row numbers (M,) of `draws` samples, with the same number of each class, without repeats.

    M is `sample`, rounded down to a multiple of the number of classes. The generator is on the CPU.

    Example:
        >>> y = torch.tensor([0, 0, 0, 1, 1])
        >>> (draw,) = balanced_draws(y, 1, 4, torch.Generator().manual_seed(0))
        >>> y[draw].tolist()
        [0, 0, 1, 1]
    """
    classes, counts = torch.unique(y, return_counts=True)
    share = sample // len(classes)
    if not 1 <= share <= int(counts.min()):
        rare = classes[counts.argmin()].item()
        raise ValueError(
            f"a balanced draw of {sample} images takes {share} of each of {len(classes)} classes; "
            f"class {rare} has {int(counts.min())}, so use a sample of "
            f"{len(classes)} to {int(counts.min()) * len(classes)} images"
        )
    members = [(y == label).nonzero().flatten() for label in classes]

    def draw() -> Tensor:
        return torch.cat(
            [
                rows[torch.randperm(len(rows), generator=generator)[:share].to(rows.device)]
                for rows in members
            ]
        )

    return [draw() for _ in range(draws)]
