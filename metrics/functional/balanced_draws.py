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


def number_of_draws(
    y: Tensor, draws: int, sample: int, clean_y: Tensor | None = None
) -> tuple[int, int]:
    """How many balanced draws to make of a labelled set, and the images of each.

    A set of at most `sample` images is used whole, once: no draws, of all its images. It is not if
    equal numbers of every class leave out more than a quarter of it; then, and of larger sets,
    there are `draws` draws of `sample` images, or fewer if a class is too rare. `draws=0` asks for
    the whole set.

    Args:
        y: (N,) labels.
        draws: Number of draws that are wanted.
        sample: Images that are wanted of each.
        clean_y: (N,) labels before they were corrupted, which makes the numbers of a balanced set
            differ a little: whether classes are rare is decided by these.

    Example:
        >>> even, uneven = torch.tensor([0, 0, 1, 1, 1]), torch.tensor([0, 0, 1, 1, 1, 1])
        >>> [number_of_draws(y, 25, 10) for y in (even, uneven)]
        [(0, 5), (25, 4)]
        >>> number_of_draws(uneven, 25, 3)
        (25, 2)
    """
    is_even = 4 * _kept_by_balance(y if clean_y is None else clean_y) >= 3 * len(y)
    if not draws or (len(y) <= sample and is_even):
        return 0, len(y)
    classes = len(y.unique())
    return draws, min(sample, _kept_by_balance(y)) // classes * classes


def _kept_by_balance(y: Tensor) -> int:
    """Images of the largest set with the same number of every class."""
    counts = y.unique(return_counts=True)[1]
    return len(counts) * int(counts.min())
