"""Scores of a classifier with weighted images: AUROC, sensitivity, calibration and others."""

import torch
from torch import Tensor
from torch.nn.functional import one_hot

BINS = 15  # of the calibration error, equal widths


def classification_scores(
    probabilities: Tensor,
    labels: Tensor,
    weights: Tensor | None = None,
    classes: int | None = None,
) -> dict[str, Tensor]:
    r"""Accuracy, balanced accuracy, AUROC, sensitivity, specificity, F1, calibration error.

        sensitivity_c = P(predicted c | true c)      specificity_c = P(predicted not c | true not c)
        AUROC_c = P(p_c(x) > p_c(x')) + P(=)/2 for x of class c and x' of another
        ECE = sum_bins P(bin) |P(right | bin) - mean confidence in bin|      (15 equal bins)

    With two classes all are scores of class 1, the positive one; with more they are means over the
    classes that have images, each against the rest, and sensitivity is the balanced accuracy.
    Weights, which torchmetrics lacks, make a bootstrap a few matrix products instead of a thousand
    evaluations.

    Reading it: with unequal classes accuracy rewards the frequent one; balanced accuracy and AUROC
    are 0.5 (1/C and 0.5 with C classes) for a network that has learned nothing. A calibration
    error of 0.1 means that confidence and accuracy differ by 10 points on average.

    Args:
        probabilities: (N, C), rows that sum to 1.
        labels: (N,) integers in 0..C-1.
        weights: (B, N), one row per resample; None weighs every image once. Each score is (B,)
            float64, NaN where a class that has images has no weight.
        classes: Classes of the data, if the network has more outputs; None: C.

    Example:
        >>> p = torch.tensor([[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
        >>> scores = classification_scores(p, torch.tensor([0, 0, 1, 1]))
        >>> [round(float(scores[name]), 2) for name in ("auroc", "sensitivity", "specificity")]
        [0.75, 0.5, 1.0]
    """
    n, outputs = _check(probabilities, labels)
    weights = torch.ones(1, n) if weights is None else weights
    if weights.ndim != 2 or weights.shape[1] != n:
        raise ValueError(f"weights are {tuple(weights.shape)}, but {n} images need (B, {n})")
    weights = weights.to(probabilities.device, torch.float64)
    occurring = labels.unique()
    is_class = labels[:, None] == occurring
    is_guess = probabilities.argmax(1)[:, None] == occurring
    true, predicted, hits = (  # (B, classes that occur)
        weights @ part.double() for part in (is_class, is_guess, is_class & is_guess)
    )
    total = weights.sum(1, keepdim=True)
    sensitivity = hits / true
    by_class = {
        "auroc": torch.stack([_auroc(probabilities[:, c], labels == c, weights)
                              for c in occurring.tolist()], 1),
        "sensitivity": sensitivity,
        "specificity": (total - true - predicted + hits) / (total - true),
        "f1": 2 * hits / (true + predicted),
    }  # fmt: skip
    binary = (classes or outputs) == 2 and len(occurring) == 2
    return {
        "accuracy": hits.sum(1) / total[:, 0],
        "balanced_accuracy": sensitivity.mean(1),
        **{name: one[:, 1] if binary else one.mean(1) for name, one in by_class.items()},
        "calibration_error": _calibration_error(probabilities, labels, weights),
    }


def confusion(probabilities: Tensor, labels: Tensor) -> Tensor:
    """(C, C) number of images by true class (rows) and predicted class (columns).

    Example:
        >>> confusion(torch.eye(2)[[0, 1, 1]], torch.tensor([0, 0, 1])).tolist()
        [[1, 1], [0, 1]]
    """
    _, classes = _check(probabilities, labels)
    cell = labels * classes + probabilities.argmax(1)
    return torch.bincount(cell, minlength=classes**2).unflatten(0, (classes, classes))


def _check(probabilities: Tensor, labels: Tensor) -> tuple[int, int]:
    if probabilities.ndim != 2 or probabilities.shape[1] < 2 or len(probabilities) == 0:
        raise ValueError(f"probabilities are {tuple(probabilities.shape)}; need (N, C), C >= 2")
    n, classes = probabilities.shape
    if labels.shape != (n,) or labels.is_floating_point():
        raise ValueError(f"labels are {labels.dtype} {tuple(labels.shape)}; need ({n},) integers")
    if int(labels.min()) < 0 or int(labels.max()) >= classes:
        raise ValueError(f"label {int(labels.max())} is not in 0..{classes - 1}")
    return n, classes


def _auroc(score: Tensor, positive: Tensor, weights: Tensor) -> Tensor:
    """(B,) by ranks; equal scores count half."""
    order = score.argsort()
    _, tie = score[order].unique_consecutive(return_inverse=True)
    chosen = weights[:, order]
    up, down = chosen * positive[order], chosen * ~positive[order]
    groups = int(tie[-1]) + 1
    by_tie = weights.new_zeros(len(weights), groups)
    up, down = by_tie.index_add(1, tie, up), by_tie.index_add(1, tie, down)
    below = down.cumsum(1) - down / 2
    return (up * below).sum(1) / (up.sum(1) * down.sum(1))


def _calibration_error(probabilities: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
    confidence, predicted = probabilities.double().max(1)
    edges = torch.linspace(0, 1, BINS + 1, dtype=torch.float64, device=confidence.device)[1:-1]
    gap = (predicted == labels).double() - confidence
    inside = one_hot(torch.bucketize(confidence, edges), BINS).double()
    return (weights @ (gap[:, None] * inside)).abs().sum(1) / weights.sum(1)
