"""Which of two tasks on the same images is harder to learn, before any training."""

import math
from dataclasses import dataclass
from typing import Literal

from metrics.functional.checks import check_number
from metrics.functional.estimate import Estimate, normal_quantile


@dataclass(frozen=True)
class TaskDifficultyRatio:
    """Expected ratio of test losses of task 1 and task 2."""

    ratio: Estimate

    @property
    def harder(self) -> Literal["task 1", "task 2", "not known"]:
        """The task of the larger sharpness, where the interval of the ratio excludes 1."""
        if self.ratio.known and not self.ratio.low <= 1 <= self.ratio.high:
            return "task 1" if self.ratio.value > 1 else "task 2"
        return "not known"


def task_difficulty_ratio(
    sharpness_1: Estimate | float, sharpness_2: Estimate | float
) -> TaskDifficultyRatio:
    """Compare two labellings of the same images by their label sharpness.

        L_1 / L_2 ~ K_F1 / K_F2        (Konz & Mazurowski 2024, Eq. 27)

    The interval is log-normal; both K_F must come from the same images, size and number of pairs.

    Reading it: above 1 task 1 should be harder, if the interval excludes 1; for two equally hard
    labellings it does so in 3 % of samples. A sharpness without an interval (a plain number, or one
    over too few pairs) leaves the order unknown. The example has the paper's numbers for any
    against epidural haemorrhage.

    Example:
        >>> any_type, epidural = Estimate.of(2.1e-4, 0.4e-4), Estimate.of(1.45e-4, 0.06e-4)
        >>> ratio = task_difficulty_ratio(any_type, epidural).ratio
        >>> round(ratio.value, 2), round(ratio.low, 2), round(ratio.high, 2)
        (1.45, 1.19, 1.76)
    """
    why = "infinite means equal images with different labels: remove those first"
    both = []
    for name, value in (("sharpness_1", sharpness_1), ("sharpness_2", sharpness_2)):
        number = value.value if isinstance(value, Estimate) else value
        number = check_number(name, number, above=0, why=why)
        both.append(value if isinstance(value, Estimate) else Estimate.unknown(number))
    first, second = both
    ratio = first.value / second.value
    if not (first.known and second.known):
        return TaskDifficultyRatio(Estimate.unknown(ratio))
    deviation = math.hypot(first.log_deviation, second.log_deviation)
    if not deviation > 0:
        raise ValueError(
            "both sharpnesses are exact numbers, so their order would be certain; pass their "
            "intervals over new samples of images (`LabelSharpnessResult.population`)"
        )
    spread = math.exp(normal_quantile(0.95) * deviation)
    return TaskDifficultyRatio(Estimate(ratio, ratio / spread, ratio * spread))
