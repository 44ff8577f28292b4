"""Fast gradient sign method."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from metrics.functional.checks import check_numbers
from metrics.functional.example_loss import ExampleLoss, cross_entropy
from metrics.functional.loss_gradient import check_attack, loss_gradient


def check_eps(eps: float | Sequence[float]) -> list[float]:
    """The attack sizes as a list."""
    sizes = check_numbers("eps", eps, least=0).tolist()
    if max(sizes) > 1:
        raise ValueError(
            f"eps={eps}, but attack sizes are in [0, 1]: write 2/255 for two grey levels"
        )
    return sizes


def sign_step(x: Tensor, sign: Tensor, eps: float, clip: bool = True) -> Tensor:
    """clip(x + eps sign, 0, 1), or the same without the clip."""
    step = torch.add(x, sign, alpha=eps)
    return step.clamp_(0, 1) if clip else step


def fgsm(
    model: nn.Module,
    x: Tensor,
    y: Tensor,
    eps: float | Sequence[float],
    loss: ExampleLoss = cross_entropy,
    clip: bool = True,
) -> Tensor:
    """Attacked images by the fast gradient sign method (Goodfellow et al. 2015).

        x~ = clip(x + eps * sign(grad_x loss(f(x), y)), 0, 1)

    One gradient is used for every eps. The network is measured in evaluation mode; its mode,
    statistics and parameter gradients do not change.

    Reading it: the cheapest attack; a network that is robust to it may still fail under `pgd`.
    Pixels whose gradient is exactly 0 do not move.

    Args:
        model: Network from pixels in [0, 1] to logits.
        x: Images, (examples, ...), in [0, 1].
        y: True labels, (examples,).
        eps: One size or several, in units of [0, 1] (k/255 for k grey levels). The result has the
            shape of x for one, (sizes, *x.shape) for several.
        loss: Loss of each example, `(logits, y) -> (examples,)`.
        clip: Keep attacked pixels in [0, 1]; False for data that are not pixels.

    Example:
        >>> net = nn.Linear(2, 2, bias=False)
        >>> _ = net.weight.data.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
        >>> fgsm(net, torch.tensor([[0.5, 1.0]]), torch.tensor([0]), eps=0.25)
        tensor([[0.2500, 1.0000]])
    """
    sizes = check_eps(eps)
    y = check_attack(model, x, y, pixels=clip)
    sign = loss_gradient(model, x, y, loss).direction.sign()
    attacked = [sign_step(x, sign, e, clip) for e in sizes]
    one = isinstance(eps, int | float)
    return attacked[0] if one else torch.stack(attacked)
