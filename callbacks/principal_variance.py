"""Variance of the training images by principal component."""

from typing import ClassVar

from callbacks.points import fixed_points
from callbacks.probe import Probe
from callbacks.ranks import on_first
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.principal_variance import PrincipalVarianceResult, principal_variance


class PrincipalVariance(Probe):
    """Logs `data/variance`, the total; saves the share of every component as an array.

    Images projected on some components (`corruption=principal_components`) keep their variance
    along these: the total of such a run divided by that of a run on all components is the share
    that they explain. A few test images are saved too (`data/examples`).

    Reading it: see `metrics.functional.principal_variance`.

    Args:
        examples: number of test images to save, chosen by seed.
    """

    name = "principal_variance"
    needs_network: ClassVar[bool] = False

    def __init__(self, examples: int = 8, schedule: Schedule | str = "start") -> None:
        super().__init__(schedule)
        self.examples = examples

    def measure(self, subject: Subject) -> Measurement:
        """Measure on rank 0."""

        def find() -> PrincipalVarianceResult:
            return principal_variance(subject.images(subject.data.train))

        found = on_first(find, subject)
        test = subject.data.test
        chosen = fixed_points(len(test), self.examples, subject.seed)
        return Measurement(
            {f"data/{name}": value for name, value in found.scalars().items()},
            arrays={
                "data/variance_shares": found.shares.cpu().numpy(),
                "data/examples": test.images(chosen).cpu().numpy(),
            },
        )
