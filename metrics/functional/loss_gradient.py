"""The gradient of the loss with respect to the images, shared by every attack."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from metrics.functional.checks import check_labels, check_network, check_points
from metrics.functional.evaluation_mode import evaluation_mode
from metrics.functional.example_loss import ExampleLoss, cross_entropy
from metrics.functional.grad_enabled import grad_enabled
from metrics.functional.independent_images import check_independent_images


@dataclass(frozen=True)
class LossGradient:
    """Direction in which the loss of each example rises, with logits and loss."""

    direction: Tensor  # (examples, ...) a positive multiple, one per example, of the gradient
    logits: Tensor  # (examples, classes)
    loss: Tensor  # (examples,) float64

    @property
    def zero(self) -> Tensor:
        """Examples whose gradient is 0, which no gradient attack can change, (examples,)."""
        return ~self.direction.flatten(1).any(1)


def check_attack(model: nn.Module, x: Tensor, y: Tensor, pixels: bool = True) -> Tensor:
    """Labels as int64, after checks of network and images; `pixels` must be in [0, 1]."""
    check_points("x", x)
    check_network(model, x)
    labels = check_labels("y", y, len(x))
    low, high = float(x.min()), float(x.max())
    if pixels and not (low >= 0 and high <= 1):
        raise ValueError(
            f"pixels span [{low:g}, {high:g}], attacks are in units of [0, 1]: scale the images "
            "and make any normalisation the first layer of the network"
        )
    with evaluation_mode(model):
        check_independent_images(model, x)
    return labels


def loss_gradient(
    model: nn.Module, x: Tensor, y: Tensor, loss: ExampleLoss = cross_entropy
) -> LossGradient:
    """Direction of grad_x loss(model(x), y), with respect to x alone, in evaluation mode.

    The loss is differentiated in float64 at the logits, and its gradient there is scaled to a
    largest entry of 1 before it goes back through the network. In float32 exp(-margin) underflows
    at a margin of 104 (745 in float64), so attacks on confident networks would change nothing and
    look harmless; a positive factor does not change sign steps or normalised steps.

    No parameter gradient is accumulated and no state changed; the memory format of x is preserved.

    Example:
        >>> net = nn.Linear(2, 2, bias=False)
        >>> _ = net.weight.data.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
        >>> loss_gradient(net, torch.zeros(1, 2), torch.tensor([0])).direction
        tensor([[-1.,  1.]])
    """
    with grad_enabled(x, y) as (x, y), evaluation_mode(model):
        leaf = x.detach().requires_grad_()
        logits = model(leaf)
        if not logits.requires_grad:
            raise ValueError("the model's output has no gradient: is it detached inside the model?")
        broken = int((~logits.detach().isfinite()).reshape(len(x), -1).any(1).sum())
        if broken:
            raise ValueError(f"logits of {broken} of {len(x)} examples are not finite: diverged?")
        check_labels("y", y, len(x), classes=max(2, logits[0].numel()))
        top = logits.detach().double().requires_grad_()
        values = loss(top, y)
        if values.shape != (len(x),):
            raise ValueError(
                f"the loss has shape {tuple(values.shape)}, attacks need one value for each of "
                f"{len(x)} examples: use reduction='none'"
            )
        (cotangent,) = torch.autograd.grad(values.sum(), top)
        size = cotangent.reshape(len(x), -1).abs().amax(1).reshape(-1, *[1] * (cotangent.ndim - 1))
        cotangent = cotangent / torch.where(size > 0, size, 1)
        # `grad(logits, leaf, cotangent)` has the same bits, but imports sympy: 0.4 s
        total = (logits * cotangent.to(logits.dtype)).sum()
        (direction,) = torch.autograd.grad(total, leaf)
    return LossGradient(direction, logits.detach(), values.detach())
