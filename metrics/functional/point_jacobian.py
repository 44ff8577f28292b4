"""The Jacobian of the logits at each image."""

import torch
from torch import Tensor, nn
from torch.nn.modules.conv import _ConvNd  # the base of all, without a public name


def jacobian_rows(
    logits: Tensor, leaf: Tensor, batched: bool, factor: Tensor | None = None
) -> Tensor:
    """Compute d logits / d leaf for each example, times `factor` if it is not None.

    Valid when each example's logits depend on its own row of `leaf` alone.

    Args:
        logits: (examples, classes), with a graph back to `leaf`.
        leaf: (examples, ...).
        batched: All classes in one vectorised backward pass, or one pass per class. The first is
            1.5 times as fast for linear layers, the second for convolutions on CPU.
        factor: (features, columns), multiplied from the right.

    Returns:
        (examples, classes, features or columns).
    """
    classes = logits.shape[1]
    if batched:
        seeds = torch.eye(classes, dtype=logits.dtype, device=logits.device)
        seeds = seeds[:, None].expand(classes, *logits.shape)
        (rows,) = torch.autograd.grad(logits, leaf, seeds, is_grads_batched=True)
    else:
        sums = logits.sum(0)
        rows = torch.stack(
            [torch.autograd.grad(sums[c], leaf, retain_graph=True)[0] for c in range(classes)]
        )
    rows = rows.flatten(2)
    if factor is not None:
        rows = rows @ factor  # before the transpose: one product for the batch, not one per example
    return rows.transpose(0, 1)


def has_convolution(model: nn.Module) -> bool:
    """Whether any module is a convolution."""
    return any(isinstance(module, _ConvNd) for module in model.modules())
