"""Losses and hits of single examples: what an attack raises and what a penalty averages."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

ExampleLoss = Callable[[Tensor, Tensor], Tensor]  # (logits, labels) -> (examples,)


def cross_entropy(logits: Tensor, y: Tensor) -> Tensor:
    """Cross-entropy of each example, with an accurate gradient at any confidence.

        -log softmax(z)_y = log(1 + sum_{j != y} exp(z_j - z_y))

    Differentiating log softmax gives p_y - 1 for the true class, which rounds to 0 at a margin of
    17 in float32 (37 in float64) while the other classes keep theirs, which changes the gradient's
    direction. Here the true class gets minus the sum of the others.

    Args:
        logits: Scores, (examples, classes).
        y: Class of each example, (examples,).

    Returns:
        Loss of each example, (examples,).

    Raises:
        ValueError: If there are fewer than 2 logits.

    Example:
        >>> cross_entropy(torch.zeros(1, 4), torch.tensor([2])).exp()
        tensor([4.])
    """
    if logits.ndim != 2 or logits.shape[1] < 2:
        raise ValueError(
            f"logits of shape {tuple(logits.shape)}, but cross-entropy needs at least 2 classes: "
            "use binary_cross_entropy for one logit"
        )
    true = y.long()[:, None]
    ahead = logits - logits.gather(1, true)
    others = ahead.masked_fill(torch.zeros_like(ahead).scatter(1, true, 1).bool(), -torch.inf)
    return torch.logaddexp(others.logsumexp(1), logits.new_zeros(()))


def binary_cross_entropy(logits: Tensor, y: Tensor) -> Tensor:
    """Binary cross-entropy of each example for a network with one logit.

    Args:
        logits: Score of class 1, (examples,) or (examples, 1).
        y: 0 or 1 for each example, (examples,).

    Returns:
        Loss of each example, (examples,).

    Example:
        >>> binary_cross_entropy(torch.zeros(2, 1), torch.tensor([0, 1])).exp()
        tensor([2., 2.])
    """
    scores = logits.reshape(len(y))
    return binary_cross_entropy_with_logits(scores, y.to(scores.dtype), reduction="none")


def hits(logits: Tensor, y: Tensor) -> Tensor:
    """Which examples are classified correctly: argmax, or the sign where there is one logit.

    Args:
        logits: Scores, (examples, classes), or (examples,) or (examples, 1) for one logit.
        y: Class of each example, (examples,).

    Returns:
        True where the prediction is right, (examples,).

    Example:
        >>> hits(torch.tensor([[0.1, 2.0], [0.3, 0.2]]), torch.tensor([1, 1]))
        tensor([ True, False])
        >>> hits(torch.tensor([[1.5], [-1.5]]), torch.tensor([1, 1]))
        tensor([ True, False])
    """
    if logits.ndim == 1 or logits.shape[1] == 1:
        return (logits.reshape(len(y)) > 0) == (y > 0)
    return logits.argmax(1) == y
