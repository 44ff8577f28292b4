"""Loss and accuracy penalty of small adversarial changes of the test images."""

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from typing import Literal

import torch
from matplotlib.figure import Figure
from torch import Tensor

from callbacks.pictures import class_name, heading, montage
from callbacks.points import fixed_points
from callbacks.probe import Probe
from callbacks.ranks import collect
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.attack_examples import AttackedExamples, attack_examples
from metrics.functional.attack_penalty import attack_penalty_from_sums
from metrics.functional.example_loss import binary_cross_entropy, cross_entropy
from metrics.functional.fgsm import fgsm

COLUMNS = [field.name for field in fields(AttackedExamples)]
BATCH = 64  # one gradient and one pass per attack size; larger batches were no faster on CPU


class FGSMPenalty(Probe):
    """Loss and accuracy penalty of FGSM on the test set (Konz & Mazurowski 2024, sec. 5).

    Logs `test/fgsm_loss_penalty@k` and `test/fgsm_accuracy_penalty@k` for eps = k/255, and
    `test/fgsm_zero_gradients`: images whose gradient is 0, which no gradient attack can change.
    Draws example images.

    Reading it: see `metrics.functional.attack_penalty`. Attacked pixels stay in [0, 1]; data
    without a range (their spec's `value_range` is None) are attacked in their own unit, unclipped.

    Args:
        levels: attack sizes k, in grey levels: eps = k/255.
        along: test images attacked before the end, chosen by seed: the penalty is a mean, so fewer
            images estimate the same number; all are attacked at the end.
        examples: test images to draw, clean and attacked: first those misclassified at the last
            size.
        loss: "exact" cross-entropy, whose gradient stays right on confident networks (plain
            cross-entropy's rounds to 0 at a margin of 17, hiding the penalty), or the "run"'s own.
        schedule: when to measure.
    """

    name = "fgsm_penalty"

    def __init__(
        self,
        levels: Sequence[float] = (1, 2, 4, 8),
        along: int = 128,
        examples: int = 6,
        loss: Literal["exact", "run"] = "exact",
        schedule: Schedule | str = "end",
    ) -> None:
        super().__init__(schedule)
        self.eps = [level / 255 for level in levels]
        self.along, self.examples = along, examples
        self.loss = loss

    def measure(self, subject: Subject) -> Measurement:
        """Attack test images once per size, distributed over the ranks: at the end all of them."""
        split, network = subject.data.test, subject.network
        chosen = fixed_points(len(split), None if subject.last else self.along, subject.seed)
        assert network is not None
        assert subject.loss is not None
        loss = exact if self.loss == "exact" else partial(subject.loss, reduction="none")
        clip = subject.data.spec.value_range is not None

        def part(index: Tensor) -> dict[str, Tensor]:
            x, y = subject.batch(split, chosen[index])
            attacked = attack_examples(network, x, y, self.eps, loss, clip)
            return dict(zip(COLUMNS, attacked.columns(), strict=True))

        columns = collect(part, len(chosen), subject, BATCH)
        sums = [columns[name].double().sum(0) for name in COLUMNS]
        sums.append(torch.tensor(len(chosen)))
        result = attack_penalty_from_sums(self.eps, *sums)
        scalars = {f"test/{name}": value for name, value in result.scalars().items()}
        if subject.rank or not self.examples or not subject.last:
            return Measurement(scalars)
        turned = columns["clean_hit"] & ~columns["attacked_hit"][:, -1]
        shown = (~turned).long().argsort(stable=True)[: self.examples].cpu()
        x, y = subject.batch(split, shown)
        images = [x, *fgsm(network, x, y, self.eps, loss, clip)]
        figure = self._picture(subject, images, y)
        share = f"{int(turned.sum())} of {len(split)} test images"
        text = f"at {255 * self.eps[-1]:g}/255 FGSM turns {share}; wrong predictions are red"
        heading(figure, text, subject.data.spec)
        return Measurement(scalars, figures={"test/fgsm_examples": figure})

    def _picture(self, subject: Subject, images: list[Tensor], y: Tensor) -> Figure:
        """One column per image, clean on top; a wrong prediction is red."""
        assert subject.network is not None
        assert subject.loss is not None
        spec, captions = subject.data.spec, []
        for attacked in images:
            with torch.no_grad():
                said = subject.loss.predict(subject.network(attacked)).tolist()
            captions.append(
                [
                    (class_name(spec, prediction), "black" if prediction == label else "crimson")
                    for prediction, label in zip(said, y.tolist(), strict=True)
                ]
            )
        names = ["clean", *(f"{255 * eps:g}/255" for eps in self.eps)]
        return montage(images, captions, names)


def exact(scores: Tensor, y: Tensor) -> Tensor:
    """Cross-entropy of each example, of several logits or of one."""
    return (binary_cross_entropy if scores.shape[1] == 1 else cross_entropy)(scores, y)
