"""Loss and accuracy on whole splits, in eval mode."""

from typing import NamedTuple

import torch
from torch import Tensor

from callbacks.outputs import SCORES, outputs
from callbacks.points import fixed_points
from callbacks.sampled_probe import SampledProbe
from callbacks.subject import Measurement, Subject
from datamodules.split import Split


class Evaluation(SampledProbe):
    """`train/loss train/accuracy test/loss test/accuracy` of the current network.

    Of an ensemble, the means over its members. If the data have variants of their test set (see
    `datamodules.laws.simplicity`), at the end also `test/loss@<variant>` and
    `test/accuracy@<variant>`.

    Reading it: unlike the running means of an epoch (`train/running_loss`), these are of one fixed
    network, without dropout, with every image once; before the end on `along` images of each split.
    """

    name = "evaluation"

    def measure_images(self, subject: Subject, count: int | None) -> Measurement:
        """Evaluate both splits; at the end the test loop has just evaluated all test images."""
        data = subject.data
        splits = {("train", ""): data.train}
        if not subject.last or (count is not None and count < len(data.test)):
            splits["test", ""] = data.test
        if subject.last and count is None:
            splits |= {("test", f"@{name}"): split for name, split in data.variants.items()}
        scalars: dict[str, float] = {}
        images: dict[str, int] = {}
        for (stage, variant), split in splits.items():
            names = f"{stage}/loss{variant}", f"{stage}/accuracy{variant}"
            scalars |= zip(names, evaluate(subject, split, count), strict=True)
            images |= dict.fromkeys(names, min(len(split), count or len(split)))
        return Measurement(scalars, images=images)


class Predictions(NamedTuple):
    """Loss, predicted class and label of images of a split."""

    loss: Tensor  # (N,) float64
    prediction: Tensor  # (N,) int64
    label: Tensor  # (N,) int64


@torch.no_grad()
def predictions(
    subject: Subject, split: Split, count: int | None = None, batch: int = 256
) -> Predictions:
    """Predictions of a network for every image (or for `count` of them), in the split's order."""
    loss = subject.loss
    assert loss is not None
    scores = outputs(subject, split, count, batch)[SCORES]
    y = split.y[fixed_points(len(split), count, subject.seed)].to(scores.device)
    values = loss(scores, y, reduction="none").double()
    return Predictions(values, loss.predict(scores), y)


def evaluate(
    subject: Subject, split: Split, count: int | None = None, batch: int = 256
) -> tuple[float, float]:
    """Mean loss and accuracy over the images, and over the members of an ensemble."""
    found = [predictions(member, split, count, batch) for member in subject.members()]
    losses = torch.stack([one.loss for one in found])
    right = torch.stack([one.prediction == one.label for one in found])
    return float(losses.mean()), float(right.double().mean())
