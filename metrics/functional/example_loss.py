"""Losses and hits of single examples: what an attack raises and what a penalty averages."""

from collections.abc import Callable
from typing import TypeAlias

from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.nn.functional import cross_entropy as torch_cross_entropy

ExampleLoss: TypeAlias = Callable[[Tensor, Tensor], Tensor]  # (logits, labels) -> (examples,)


def cross_entropy(logits: Tensor, y: Tensor) -> Tensor:
    """Cross-entropy of each example: -log softmax(logits)[y].

    Args:
        logits: Scores, (examples, classes).
        y: Class of each example, (examples,).

    Returns:
        Loss of each example, (examples,).

    Example:
        >>> import torch
        >>> cross_entropy(torch.zeros(1, 4), torch.tensor([2])).exp()
        tensor([4.])
    """
    return torch_cross_entropy(logits, y.long(), reduction="none")


def binary_cross_entropy(logits: Tensor, y: Tensor) -> Tensor:
    """Binary cross-entropy of each example for a network with one logit.

    Args:
        logits: Score of class 1, (examples,) or (examples, 1).
        y: 0 or 1 for each example, (examples,).

    Returns:
        Loss of each example, (examples,).

    Example:
        >>> import torch
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
        >>> import torch
        >>> hits(torch.tensor([[0.1, 2.0], [0.3, 0.2]]), torch.tensor([1, 1]))
        tensor([ True, False])
        >>> hits(torch.tensor([[1.5], [-1.5]]), torch.tensor([1, 1]))
        tensor([ True, False])
    """
    if logits.ndim == 1 or logits.shape[1] == 1:
        return (logits.reshape(len(y)) > 0) == (y > 0)
    return logits.argmax(1) == y
