"""Loss and accuracy on whole splits, in eval mode."""

from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from callbacks.probe import Probe
from callbacks.ranks import collect
from callbacks.subject import Measurement, Subject


class Evaluation(Probe):
    """`train/loss train/accuracy test/loss test/accuracy` of the network as it stands.

    Of an ensemble, the means over its members. Where the data comes with variants of its test set
    (see `datamodules.laws.simplicity`), at the end also `test/loss@<variant>` and
    `test/accuracy@<variant>`.

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
        for name, split in getattr(subject.data, "variants", {}).items() if subject.last else ():
            loss, accuracy = evaluate(subject, split)
            scalars |= {f"test/loss@{name}": loss, f"test/accuracy@{name}": accuracy}
        return Measurement(scalars)


class Answers(NamedTuple):
    """What a network says on every image of a split, on any number of processes."""

    loss: Tensor  # (N,) float64
    prediction: Tensor  # (N,) int64


@torch.no_grad()
def answers(subject: Subject, split: Any, batch: int = 256) -> Answers:
    """Loss and predicted class of every image, in the order of the split."""
    network, loss = subject.network, subject.loss
    assert isinstance(network, nn.Module)
    assert isinstance(loss, nn.Module)

    def part(index: Tensor) -> dict[str, Tensor]:
        x, y = subject.batch(split, index)
        scores = network(x)
        values = loss(scores, y, reduction="none").double()
        return {"loss": values, "prediction": loss.predict(scores)}

    return Answers(**collect(part, len(split), subject, batch))


def evaluate(subject: Subject, split: Any, batch: int = 256) -> tuple[float, float]:
    """Mean loss and accuracy over a split, and over the members of an ensemble."""
    said = [answers(member, split, batch) for member in subject.members()]
    truth = split.y.to(said[0].prediction.device)
    losses = torch.stack([one.loss for one in said])
    right = torch.stack([one.prediction == truth for one in said])
    return float(losses.mean()), float(right.double().mean())
