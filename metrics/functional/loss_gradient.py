"""The gradient of the loss with respect to the images, shared by every attack."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from metrics.functional.evaluation_mode import evaluation_mode
from metrics.functional.example_loss import ExampleLoss, cross_entropy
from metrics.functional.grad_enabled import grad_enabled


@dataclass(frozen=True)
class LossGradient:
    """Where the loss of each example rises, and what the network said there."""

    direction: Tensor  # (examples, ...) a positive multiple, one per example, of the gradient
    logits: Tensor  # (examples, classes)
    loss: Tensor  # (examples,) float64

    @property
    def zero(self) -> Tensor:
        """Examples without any gradient, which no gradient attack can move, (examples,)."""
        return ~self.direction.flatten(1).any(1)


def check_images(x: Tensor, y: Tensor, pixels: bool = True) -> None:
    """Refuse what an attack cannot mean; `pixels` are in [0, 1], other data in any finite range.

    Raises:
        ValueError: If x is empty, not floating, not finite or outside its range, or y does not fit.
    """
    if not x.is_floating_point():
        raise ValueError(f"x has dtype {x.dtype}, attacks need float pixels: pass x.float() / 255")
    if len(x) == 0 or len(x) != len(y):
        raise ValueError(f"{len(x)} images and {len(y)} labels: pass as many of each, at least one")
    low, high = float(x.min()), float(x.max())
    if not (abs(low) < float("inf") and abs(high) < float("inf")):  # also true for NaN
        raise ValueError(f"values span [{low:g}, {high:g}]: leave out what is not finite")
    if pixels and not (low >= 0 and high <= 1):
        raise ValueError(
            f"pixels span [{low:g}, {high:g}], attacks are in units of [0, 1]: scale the images "
            "and make any normalisation the first layer of the network"
        )


def loss_gradient(
    model: nn.Module, x: Tensor, y: Tensor, loss: ExampleLoss = cross_entropy
) -> LossGradient:
    """Direction of grad_x loss(model(x), y), with respect to x alone, in evaluation mode.

    The loss is differentiated in float64 at the logits, and its gradient there scaled to a largest
    entry of 1 before it goes back through the network. In float32 exp(-margin) underflows at a
    margin of 104, so that attacks on confident networks would stand still and look harmless
    (float64 holds out to 745); sign and normalised steps do not feel a positive factor.

    Args:
        model: Network; no parameter gradient is accumulated, no state changed.
        x: Images, (examples, ...); their memory format is kept.
        y: Labels, (examples,).
        loss: Loss of each example, `(logits, y) -> (examples,)`.

    Returns:
        Direction, logits and loss of each example.

    Raises:
        ValueError: If the loss is not one per example, the output is cut off from the input, or the
            logits are not finite.

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
        broken = int((~logits.detach().isfinite()).flatten(1).any(1).sum())
        if broken:
            raise ValueError(f"logits of {broken} of {len(x)} examples are not finite: diverged?")
        top = logits.detach().double().requires_grad_()
        values = loss(top, y)
        if values.shape != (len(x),):
            raise ValueError(
                f"the loss has shape {tuple(values.shape)}, attacks need one value for each of "
                f"{len(x)} examples: use reduction='none'"
            )
        (cotangent,) = torch.autograd.grad(values.sum(), top)
        size = cotangent.flatten(1).abs().amax(1).reshape(-1, *[1] * (cotangent.ndim - 1))
        cotangent = cotangent / torch.where(size > 0, size, 1)
        (direction,) = torch.autograd.grad(logits, leaf, cotangent.to(logits.dtype))
    return LossGradient(direction, logits.detach(), values.detach())
