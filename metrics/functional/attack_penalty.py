"""How much loss and accuracy an attack costs."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from metrics.functional.attack_examples import attack_examples
from metrics.functional.checks import check_whole
from metrics.functional.example_loss import ExampleLoss, cross_entropy
from metrics.functional.fgsm import check_eps
from metrics.functional.loss_gradient import check_attack


@dataclass(frozen=True)
class AttackPenaltyResult:
    """Means over all examples, clean and at each attack size."""

    eps: tuple[float, ...]  # attack sizes, units of [0, 1]
    clean_loss: Tensor  # ()
    clean_accuracy: Tensor  # ()
    attacked_loss: Tensor  # (sizes,)
    attacked_accuracy: Tensor  # (sizes,)
    examples: int
    zero_gradients: int  # examples with gradient 0: their penalty of 0 does not show robustness

    @property
    def loss_penalty(self) -> Tensor:
        """Attacked minus clean loss, (sizes,)."""
        return self.attacked_loss - self.clean_loss

    @property
    def accuracy_penalty(self) -> Tensor:
        """Clean minus attacked accuracy, (sizes,)."""
        return self.clean_accuracy - self.attacked_accuracy

    def scalars(self) -> dict[str, float]:
        """Penalties named by grey levels, `fgsm_loss_penalty@2` for eps = 2/255."""
        named: dict[str, float] = {"fgsm_zero_gradients": float(self.zero_gradients)}
        for i, eps in enumerate(self.eps):
            named[f"fgsm_loss_penalty@{255 * eps:g}"] = float(self.loss_penalty[i])
            named[f"fgsm_accuracy_penalty@{255 * eps:g}"] = float(self.accuracy_penalty[i])
        return named


def penalty_of_examples(
    eps: Sequence[float],
    clean_loss: Tensor,
    clean_hit: Tensor,
    attacked_loss: Tensor,
    attacked_hit: Tensor,
    zero_gradient: Tensor,
) -> AttackPenaltyResult:
    """Means over examples, from the columns of `AttackedExamples`."""
    return AttackPenaltyResult(
        eps=tuple(eps),
        clean_loss=clean_loss.double().mean(0),
        clean_accuracy=clean_hit.double().mean(0),
        attacked_loss=attacked_loss.double().mean(0),
        attacked_accuracy=attacked_hit.double().mean(0),
        examples=len(clean_loss),
        zero_gradients=int(zero_gradient.sum()),
    )


def attack_penalty(
    model: nn.Module,
    x: Tensor,
    y: Tensor,
    eps: float | Sequence[float],
    loss: ExampleLoss = cross_entropy,
    chunk: int = 64,
) -> AttackPenaltyResult:
    """Loss and accuracy penalty of the fast gradient sign method (Konz & Mazurowski 2024, sec. 5).

        loss penalty     = mean loss(f(x~), y) - mean loss(f(x), y)
        accuracy penalty = accuracy on x - accuracy on x~

    Arguments are those of `fgsm`; `chunk`, the examples per forward pass, changes memory, not the
    result. For a convolutional network on CPU `channels_last` images take about 0.8 of the time.

    Reading it: 0 means that the attack does nothing, high that small changes of the pixels mislead
    the network. An accuracy penalty cannot exceed the clean accuracy, so compare networks of
    similar accuracy; a loss penalty grows with the scale of the logits, hence with overconfidence.

    Example:
        >>> net = nn.Linear(2, 2, bias=False)
        >>> _ = net.weight.data.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
        >>> x, y = torch.tensor([[0.6, 0.4], [0.2, 0.9]]), torch.tensor([0, 1])
        >>> attack_penalty(net, x, y, eps=(0.05, 0.2)).accuracy_penalty
        tensor([0.0000, 0.5000], dtype=torch.float64)
    """
    sizes = check_eps(eps)
    check_whole("chunk", chunk, least=1)
    y = check_attack(model, x, y)
    parts = [
        attack_examples(model, images, labels, sizes, loss, check=False).columns()
        for images, labels in zip(torch.split(x, chunk), torch.split(y, chunk), strict=True)
    ]
    return penalty_of_examples(sizes, *(torch.cat(column) for column in zip(*parts, strict=True)))
