"""How much loss and accuracy an attack costs, over batches and processes."""

from collections.abc import Sequence

import torch
from torch import Tensor

from metrics.functional.attack_penalty import AttackPenaltyResult, attack_penalty_from_sums
from metrics.functional.fgsm import check_eps
from metrics.result_metric import ResultMetric


class AttackPenalty(ResultMetric[AttackPenaltyResult]):
    """Loss and accuracy penalty per attack size, from the examples of `attack_examples`.

    Reading it: see `metrics.functional.attack_penalty`. `eps` is one attack size or several, in
    units of [0, 1], in the order of the updates' columns; other options are passed to
    `torchmetrics.Metric`.

    Example:
        >>> metric = AttackPenalty(eps=2 / 255)
        >>> metric.update(
        ...     clean_loss=torch.tensor([0.1, 0.3]),
        ...     clean_hit=torch.tensor([True, True]),
        ...     attacked_loss=torch.tensor([[0.4], [1.0]]),
        ...     attacked_hit=torch.tensor([[True], [False]]),
        ...     zero_gradient=torch.tensor([False, False]),
        ... )
        >>> {name: round(value, 3) for name, value in metric.result().scalars().items()}
        {'fgsm_zero_gradients': 0.0, 'fgsm_loss_penalty@2': 0.5, 'fgsm_accuracy_penalty@2': 0.5}
    """

    higher_is_better = False

    clean_loss: Tensor
    clean_hits: Tensor
    attacked_loss: Tensor
    attacked_hits: Tensor
    zero_gradients: Tensor
    examples: Tensor

    def __init__(self, eps: float | Sequence[float], **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.eps = check_eps(eps)
        for name in ("clean_loss", "clean_hits", "zero_gradients"):
            self.add_state(name, torch.zeros((), dtype=torch.float64), dist_reduce_fx="sum")
        for name in ("attacked_loss", "attacked_hits"):
            zeros = torch.zeros(len(self.eps), dtype=torch.float64)
            self.add_state(name, zeros, dist_reduce_fx="sum")
        self.add_state("examples", torch.tensor(0), dist_reduce_fx="sum")

    def update(
        self,
        clean_loss: Tensor,
        clean_hit: Tensor,
        attacked_loss: Tensor,
        attacked_hit: Tensor,
        zero_gradient: Tensor,
    ) -> None:
        """Add a batch: `metric.update(*attack_examples(model, x, y, metric.eps).columns())`."""
        expected = (len(clean_loss), len(self.eps))
        if attacked_loss.shape != expected or attacked_hit.shape != expected:
            raise ValueError(
                f"attacked_loss has shape {tuple(attacked_loss.shape)}, expected {expected}: "
                f"one column for each of eps={self.eps}"
            )
        self.clean_loss += clean_loss.double().sum()
        self.clean_hits += clean_hit.sum()
        self.attacked_loss += attacked_loss.double().sum(0)
        self.attacked_hits += attacked_hit.sum(0)
        self.zero_gradients += zero_gradient.sum()
        self.examples += len(clean_loss)

    def from_states(self) -> AttackPenaltyResult:
        """Means over all examples."""
        return attack_penalty_from_sums(
            self.eps,
            self.clean_loss,
            self.clean_hits,
            self.attacked_loss,
            self.attacked_hits,
            self.zero_gradients,
            self.examples,
        )
