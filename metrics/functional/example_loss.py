"""Loss and hit of each example, for attacks and their penalties."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

ExampleLoss = Callable[[Tensor, Tensor], Tensor]  # (logits, labels) -> (examples,)


def cross_entropy(logits: Tensor, y: Tensor) -> Tensor:
    """Cross-entropy of each example, with an accurate gradient at any confidence.

        -log softmax(z)_y = log(1 + sum_{j != y} exp(z_j - z_y))

    Differentiating log softmax gives p_y - 1 for the true class, which rounds to 0 at a margin of
    17 in float32 (37 in float64), while the gradients of the other classes do not: the direction of
    the gradient changes. Here the true class has minus the sum of the others.

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
    """Binary cross-entropy of each example, for one logit: (examples,) or (examples, 1).

    Example:
        >>> binary_cross_entropy(torch.zeros(2, 1), torch.tensor([0, 1])).exp()
        tensor([2., 2.])
    """
    scores = logits.reshape(len(y))
    return binary_cross_entropy_with_logits(scores, y.to(scores.dtype), reduction="none")


def hits(logits: Tensor, y: Tensor) -> Tensor:
    """Which examples are classified correctly: by argmax, or by the sign of a single logit.

    Example:
        >>> hits(torch.tensor([[0.1, 2.0], [0.3, 0.2]]), torch.tensor([1, 1]))
        tensor([ True, False])
        >>> hits(torch.tensor([[1.5], [-1.5]]), torch.tensor([1, 1]))
        tensor([ True, False])
    """
    if logits.ndim == 1 or logits.shape[1] == 1:
        return (logits.reshape(len(y)) > 0) == (y > 0)
    return logits.argmax(1) == y
