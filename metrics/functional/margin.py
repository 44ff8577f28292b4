"""The margin of a classifier: how far the right class is ahead of the best other one."""

import math

import torch
from torch import Tensor

from metrics.functional.checks import check_labels, check_tensor


def margins(scores: Tensor, y: Tensor) -> Tensor:
    """Margin of every point, from scores (points, classes) and class indices (points,).

        m(x, y) = f_y(x) - max_{j != y} f_j(x)

    Reading it: positive means classified right, zero is a tie, negative is wrong by that much. A
    row with a NaN or an infinite score has no margin: the result is NaN, so that a collapsed
    network is never certified. The result is float64, where differences of float32 are exact.

    Example:
        >>> scores = torch.tensor([[3.0, 1.0, 2.0], [0.0, 0.0, -1.0]])
        >>> margins(scores, torch.tensor([0, 1])).tolist()
        [1.0, 0.0]
    """
    check_tensor("scores", scores)
    if scores.ndim != 2 or len(scores) == 0:
        raise ValueError(
            f"scores have shape {tuple(scores.shape)}; need (points, classes), at least one point"
        )
    classes = scores.shape[1]
    if classes < 2:
        raise ValueError(
            f"scores have {classes} class, a margin needs 2; "
            "write a single logit as two scores with `as_pair`, which keeps its Lipschitz bound"
        )
    y = check_labels("y", y, len(scores), classes)
    scores = scores.double()
    own = scores.gather(1, y[:, None])[:, 0]
    other = scores.scatter(1, y[:, None], -math.inf).amax(1)
    return (own - other).where(scores.isfinite().all(1), math.nan)


def as_pair(scores: Tensor) -> Tensor:
    """Scores of at least two classes: one logit s becomes (-s, s) / sqrt(2), as Lipschitz as s.

    Example:
        >>> as_pair(torch.tensor([[2.0]]))
        tensor([[-1.4142,  1.4142]])
    """
    return scores if scores.shape[1] > 1 else torch.cat([-scores, scores], dim=1) / 2**0.5
