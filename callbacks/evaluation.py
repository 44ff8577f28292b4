"""Loss and accuracy on whole splits, in eval mode."""

from typing import NamedTuple

import torch
from torch import Tensor

from callbacks.outputs import SCORES, outputs
from callbacks.probe import Probe
from callbacks.subject import Measurement, Subject
from datamodules.split import Split


class Evaluation(Probe):
    """`train/loss train/accuracy test/loss test/accuracy` of the current network.

    Of an ensemble, the means over its members. Where the data comes with variants of its test set
    (see `datamodules.laws.simplicity`), at the end also `test/loss@<variant>` and
    `test/accuracy@<variant>`.

    Reading it: unlike the running means of an epoch (`train/running_loss`), these are of one fixed
    network, without dropout, over every image once.
    """

    name = "evaluation"

    def measure(self, subject: Subject) -> Measurement:
        """Evaluate both splits; at the end the test loop has just evaluated the second."""
        scalars: dict[str, float] = {}
        for stage in ("train",) if subject.last else ("train", "test"):
            loss, accuracy = evaluate(subject, getattr(subject.data, stage))
            scalars |= {f"{stage}/loss": loss, f"{stage}/accuracy": accuracy}
        for name, split in subject.data.variants.items() if subject.last else ():
            loss, accuracy = evaluate(subject, split)
            scalars |= {f"test/loss@{name}": loss, f"test/accuracy@{name}": accuracy}
        return Measurement(scalars)


class Answers(NamedTuple):
    """A network's loss and prediction for every image of a split, on any number of processes."""

    loss: Tensor  # (N,) float64
    prediction: Tensor  # (N,) int64


@torch.no_grad()
def answers(subject: Subject, split: Split, batch: int = 256) -> Answers:
    """Loss and predicted class of every image, in the order of the split."""
    loss = subject.loss
    assert loss is not None
    scores = outputs(subject, split, batch)[SCORES]
    values = loss(scores, split.y.to(scores.device), reduction="none").double()
    return Answers(values, loss.predict(scores))


def evaluate(subject: Subject, split: Split, batch: int = 256) -> tuple[float, float]:
    """Mean loss and accuracy over a split, and over the members of an ensemble."""
    said = [answers(member, split, batch) for member in subject.members()]
    truth = split.y.to(said[0].prediction.device)
    losses = torch.stack([one.loss for one in said])
    right = torch.stack([one.prediction == truth for one in said])
    return float(losses.mean()), float(right.double().mean())
