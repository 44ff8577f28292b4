"""E networks of one architecture, trained side by side in one run."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from datamodules.split import Batch
from lightning_modules.classifier import Classifier
from lightning_modules.networks.ensemble import Ensemble
from lightning_modules.tally import Tally


class EnsembleClassifier(Classifier):
    """Trains the members of an ensemble on the same batches, each independently.

    The loss is the sum over members, so each member has the gradient of its own loss; optimisers
    work elementwise, and gradients are clipped member by member. Logged losses and accuracies are
    means over members. The batches are shared: members differ by their initialisation alone.

    Args:
        members: networks of one architecture, each freshly initialised.
        **options: of `Classifier`: loss, optimizer, schedule.
    """

    network: Ensemble

    def __init__(self, members: Sequence[nn.Module], **options: Any) -> None:
        super().__init__(network=Ensemble(members), **options)

    @property
    def members(self) -> list[nn.Module]:
        """The networks, each with its own weights."""
        return list(self.network.members)

    def _count(self, batch: Batch, tally: Tally) -> Tensor:
        scores = self(batch.x)  # (members, B, outputs)
        losses = torch.stack([self.loss(own, batch.y) for own in scores])
        right = [self.loss.predict(own) == batch.y for own in scores.detach()]
        if batch.weight:
            tally.add(losses.mean(), torch.stack(right).sum() / len(scores), len(batch.y))
        return losses.sum()

    def configure_gradient_clipping(
        self,
        optimizer: Optimizer,
        gradient_clip_val: float | None = None,
        gradient_clip_algorithm: str | None = None,
    ) -> None:
        """Clip the gradient of every member by its own norm, not by that of all together."""
        if gradient_clip_val:
            for member in self.members:
                nn.utils.clip_grad_norm_(member.parameters(), gradient_clip_val)
