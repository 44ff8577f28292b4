"""Loss and accuracy on whole splits, in eval mode."""

from typing import Any, ClassVar

import torch
from torch import distributed as dist
from torch import nn

from callbacks.probe import Probe
from callbacks.subject import Measurement, Subject


class Evaluation(Probe):
    """`train/loss train/accuracy test/loss test/accuracy` of the network as it stands.

    Reading it: unlike the running means of an epoch (`train/running_loss`), these are of one fixed
    network, without dropout, over every image once.
    """

    name: ClassVar[str] = "evaluation"

    def measure(self, subject: Subject) -> Measurement:
        """Evaluate both splits; at the end the test loop has just evaluated the second."""
        scalars = {}
        for stage in ("train",) if subject.last else ("train", "test"):
            loss, accuracy = evaluate(subject, getattr(subject.data, stage))
            scalars |= {f"{stage}/loss": loss, f"{stage}/accuracy": accuracy}
        return Measurement(scalars)


@torch.no_grad()
def evaluate(subject: Subject, split: Any, batch: int = 256) -> tuple[float, float]:
    """Mean loss and accuracy over a split, its batches dealt out to the ranks by index."""
    network, loss = subject.network, subject.loss
    assert isinstance(network, nn.Module)
    assert isinstance(loss, nn.Module)
    sums = torch.zeros(2, dtype=torch.float64, device=subject.device)
    for index in torch.arange(len(split)).split(batch)[subject.rank :: subject.world]:
        x, y, _ = (t.to(subject.device) for t in split.batch(index))
        scores = network(x)
        sums[0] += loss(scores, y, reduction="sum").double()
        sums[1] += (loss.predict(scores) == y).sum()
    if subject.world > 1:
        dist.all_reduce(sums)
    mean_loss, accuracy = (sums / len(split)).tolist()
    return mean_loss, accuracy
