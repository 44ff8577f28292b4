"""How much loss and accuracy an attack costs, over batches and processes."""

from collections.abc import Sequence

from torch import Tensor

from metrics.functional.attack_penalty import AttackPenaltyResult, penalty_of_examples
from metrics.functional.fgsm import check_eps
from metrics.result_metric import PooledMetric

COLUMNS = ("clean_loss", "clean_hit", "attacked_loss", "attacked_hit", "zero_gradient")


class AttackPenalty(PooledMetric[AttackPenaltyResult]):
    """Loss and accuracy penalty per attack size, from the examples of `attack_examples`.

    Reading it: see `metrics.functional.attack_penalty`. `eps` is one attack size or several, in
    units of [0, 1], in the order of the updates' columns; other options are passed to
    `torchmetrics.Metric`.

    Example:
        >>> import torch
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

    def __init__(self, eps: float | Sequence[float], **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.eps = check_eps(eps)
        self.add_lists(*COLUMNS)

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
        columns = (clean_loss, clean_hit, attacked_loss, attacked_hit, zero_gradient)
        self.store(**dict(zip(COLUMNS, columns, strict=True)))

    def from_states(self) -> AttackPenaltyResult:
        """Means over all examples."""
        return penalty_of_examples(self.eps, *map(self.pooled, COLUMNS))
