"""Loss and accuracy penalty of small adversarial changes of the test images."""

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from typing import Literal

import torch
from torch import Tensor

from callbacks.figures.images import attacked_images
from callbacks.outputs import SCORES, outputs_key, shared_rows
from callbacks.points import fixed_points, pass_size
from callbacks.ranks import collect
from callbacks.sampled_probe import SampledProbe
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.attack_examples import AttackedExamples, attack_examples
from metrics.functional.attack_penalty import penalty_of_examples
from metrics.functional.example_loss import ExampleLoss, binary_cross_entropy, cross_entropy
from metrics.functional.fgsm import fgsm

COLUMNS = [field.name for field in fields(AttackedExamples) if field.name != "clean_logits"]


class FGSMPenalty(SampledProbe):
    """Loss and accuracy penalty of FGSM on the test set (Konz & Mazurowski 2024, sec. 5).

    Logs `test/fgsm_loss_penalty@k` and `test/fgsm_accuracy_penalty@k` for eps = k/255, and
    `test/fgsm_zero_gradients`: images whose gradient is 0, which no gradient attack can change.
    Draws example images.

    Reading it: see `metrics.functional.attack_penalty`. Attacked pixels stay in [0, 1]; data
    without a range (`value_range` of their spec is None) are attacked in their own unit, unclipped.

    Args:
        levels: attack sizes k, in grey levels: eps = k/255.
        along: test images attacked before the end, chosen by seed: the penalty is a mean, so fewer
            images estimate the same number; None: all of them, as at the end.
        examples: number of test images to draw, clean and attacked; those that the largest attack
            misclassifies come first.
        loss: "exact": cross-entropy whose gradient is exact on confident networks too (that of
            plain cross-entropy rounds to 0 at a margin of 17 and hides the penalty); "run": the
            loss that the run trains with.
    """

    name = "fgsm_penalty"
    shares_scores = True

    def __init__(
        self,
        levels: Sequence[float] = (1, 2, 4, 8),
        along: int | None = None,
        examples: int = 6,
        loss: Literal["exact", "run"] = "exact",
        schedule: Schedule | str = "end",
    ) -> None:
        super().__init__(along, schedule)
        self.eps = [level / 255 for level in levels]
        self.examples, self.loss = examples, loss

    def measure_images(self, subject: Subject, count: int | None) -> Measurement:
        """Attack test images once per size, distributed over the ranks."""
        columns = self._attacked(subject, count)
        size = len(columns[SCORES])
        result = penalty_of_examples(self.eps, *(columns[name] for name in COLUMNS))
        scalars = {f"test/{name}": value for name, value in result.scalars().items()}
        images = dict.fromkeys(scalars, size)
        final = subject.last and count is None
        if subject.rank or not self.examples or not final:
            return Measurement(scalars, images=images)
        turned = columns["clean_hit"] & ~columns["attacked_hit"][:, -1]
        shown = (~turned).long().argsort(stable=True)[: self.examples].cpu()
        pictures = self._attack_again(subject, shown)
        misled = f"{int(turned.sum())} of {size} test images"
        figure = attacked_images(*pictures, self.eps, misled, subject.data.spec)
        return Measurement(scalars, figures={"test/fgsm_examples": figure}, images=images)

    def _attacked(self, subject: Subject, count: int | None) -> dict[str, Tensor]:
        """Scores, losses and correctness of test images; other probes share the scores."""
        split, network = subject.data.test, subject.network
        chosen = fixed_points(len(split), count, subject.seed)
        loss, clip = self._loss(subject), subject.data.spec.value_range is not None

        def part(index: Tensor) -> dict[str, Tensor]:
            x, y = subject.batch(split, chosen[index])
            attacked = attack_examples(network, x, y, self.eps, loss, clip, self.unchecked)
            named = dict(zip(COLUMNS, attacked.columns(), strict=True))
            return {**named, SCORES: attacked.clean_logits}

        def compute() -> dict[str, Tensor]:
            return collect(part, len(chosen), subject, pass_size(subject))

        columns = shared_rows(subject, (self.name, id(network)), chosen, compute)
        shared_rows(subject, outputs_key(subject, split), chosen, lambda: {SCORES: columns[SCORES]})
        return columns

    def _loss(self, subject: Subject) -> ExampleLoss:
        assert subject.loss is not None
        return exact if self.loss == "exact" else partial(subject.loss, reduction="none")

    def _attack_again(
        self, subject: Subject, shown: Tensor
    ) -> tuple[list[Tensor], tuple[Tensor, ...], Tensor]:
        """Images to draw, clean and attacked at each size, their predictions and labels."""
        network, clip = subject.network, subject.data.spec.value_range is not None
        assert subject.loss is not None
        x, y = subject.batch(subject.data.test, shown)
        images = [x, *fgsm(network, x, y, self.eps, self._loss(subject), clip)]
        with torch.no_grad():
            predictions = subject.loss.predict(network(torch.cat(images))).split(len(x))
        return images, predictions, y


def exact(scores: Tensor, y: Tensor) -> Tensor:
    """Cross-entropy of each example, from several logits or a single one."""
    return (binary_cross_entropy if scores.shape[1] == 1 else cross_entropy)(scores, y)
