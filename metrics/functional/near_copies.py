"""Test images that are nearly equal to a training image: copies, which measure memory."""

from torch import Tensor

from metrics.functional.neighbours import neighbours

# RMS difference of nearly equal thumbnails, of the range of values: two of 255 grey levels. Copies
# saved again as JPEG differ by half of it.
NEAR = 2 / 255


def near_copies(
    train: Tensor, test: Tensor, value_range: float = 1.0
) -> list[tuple[int, int, float]]:
    """Every test image within `NEAR` of its nearest training image.

    Args:
        train: (N, ...) thumbnails of the training images.
        test: (Q, ...) those of the test images, of the same shape.
        value_range: between the darkest and the lightest value: 255 for grey levels.

    Returns:
        The row of the test image, that of the training image, and their RMS difference.

    Example:
        >>> import torch
        >>> near_copies(torch.tensor([[0.0, 0.5], [1.0, 1.0]]), torch.tensor([[1.0, 0.99]]))
        [(0, 1, 0.007...)]
        >>> near_copies(torch.zeros(1, 4), torch.full((1, 4), 3.0), value_range=255)
        []
    """
    if not len(train) or not len(test):
        return []
    found = neighbours(train.flatten(1), 1, query=test.flatten(1))
    distance = found.distances[:, 0] / train[0].numel() ** 0.5
    rows = (distance <= NEAR * value_range).nonzero()[:, 0]
    columns = (rows, found.indices[rows, 0], distance[rows])
    return list(zip(*(column.tolist() for column in columns), strict=True))
