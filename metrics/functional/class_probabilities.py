"""Class probabilities of a classifier's scores."""

import torch
from torch import Tensor


def class_probabilities(scores: Tensor) -> Tensor:
    """(N, C) class probabilities of (N, C) logits, or of one logit for two classes.

    >>> class_probabilities(torch.zeros(1, 1))
    tensor([[0.5000, 0.5000]], dtype=torch.float64)
    """
    scores = scores.double()
    if scores.shape[1] == 1:
        scores = torch.cat([torch.zeros_like(scores), scores], 1)
    return scores.softmax(1)
