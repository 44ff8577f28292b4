"""Loss and hit of each example, clean and attacked: the input of the attack penalty."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from metrics.functional.evaluation_mode import evaluation_mode
from metrics.functional.example_loss import ExampleLoss, cross_entropy, hits
from metrics.functional.fgsm import check_eps, sign_step
from metrics.functional.loss_gradient import check_attack, loss_gradient

VALUES = 2**20  # pixel values per pass, unless one batch has more: 341 colour images of 32 px


@dataclass(frozen=True)
class AttackedExamples:
    """One batch, before and after the attack; unpack it into `AttackPenalty.update`."""

    clean_loss: Tensor  # (examples,) float64
    clean_hit: Tensor  # (examples,) bool
    attacked_loss: Tensor  # (examples, sizes) float64
    attacked_hit: Tensor  # (examples, sizes) bool
    zero_gradient: Tensor  # (examples,) bool: the attack cannot change these
    clean_logits: Tensor  # (examples, classes)

    def columns(self) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The fields that make the penalty, in order."""
        return (
            self.clean_loss,
            self.clean_hit,
            self.attacked_loss,
            self.attacked_hit,
            self.zero_gradient,
        )


def attack_examples(
    model: nn.Module,
    x: Tensor,
    y: Tensor,
    eps: Sequence[float],
    loss: ExampleLoss = cross_entropy,
    clip: bool = True,
    check: bool = True,
) -> AttackedExamples:
    """Attack one batch by `fgsm` at every eps: one gradient and one forward pass per eps.

    The clean loss and the gradient come from the same forward pass, so S sizes cost 1 backward and
    1 + S forward passes. Arguments are those of `fgsm`; `check=False` skips the checks of network
    and images, which are enough once per network.

    Example:
        >>> net = nn.Linear(2, 2, bias=False)
        >>> _ = net.weight.data.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
        >>> x, y = torch.tensor([[0.6, 0.4]]), torch.tensor([0])
        >>> attack_examples(net, x, y, eps=(0.05, 0.2)).attacked_hit
        tensor([[ True, False]])
    """
    sizes = check_eps(eps)
    y = check_attack(model, x, y, pixels=clip) if check else y
    clean = loss_gradient(model, x, y, loss)
    sign = clean.direction.sign()
    losses, right = [], []
    together = max(1, VALUES // x.numel())  # sizes in one pass: small batches are slow
    with torch.no_grad(), evaluation_mode(model):
        for start in range(0, len(sizes), together):
            some = sizes[start : start + together]
            attacked = torch.cat([sign_step(x, sign, size, clip) for size in some])
            for logits in model(attacked).double().split(len(x)):
                losses.append(loss(logits, y))
                right.append(hits(logits, y))
    return AttackedExamples(
        clean_loss=clean.loss,
        clean_hit=hits(clean.logits, y),
        attacked_loss=torch.stack(losses, 1),
        attacked_hit=torch.stack(right, 1),
        zero_gradient=clean.zero,
        clean_logits=clean.logits,
    )
