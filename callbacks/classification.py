"""Clinical measures of the network on the test images: AUROC, sensitivity and others."""

import numpy as np

from callbacks.data_notes import is_own
from callbacks.figures.confusion import confusion_matrix
from callbacks.outputs import SCORES, outputs
from callbacks.probe import Probe
from callbacks.ranks import on_first
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.class_probabilities import class_probabilities
from metrics.functional.classification_report import (
    FEWEST_UNITS,
    ClassificationReport,
    classification_report,
)
from records.counted import counted
from records.first_of import first_of
from records.printable import printable
from records.seeds import seed_for


class Classification(Probe):
    """AUROC, balanced accuracy, sensitivity, specificity, F1 and calibration on the test set.

    Logs `test/auroc` and others, with 95 % intervals (`_low`, `_high`) over groups such as patients
    if they are known, else over images; there must be 20 of them. At the end it also draws the
    confusion matrix and writes `predictions.parquet`: one row per test image with its index, file,
    group, label and class probabilities. Of an ensemble it measures the first member.

    Reading it: see `metrics.functional.classification_report`.

    Args:
        draws: number of resamples of the test set for the intervals.
    """

    name = "classification"

    def __init__(self, draws: int = 1000, schedule: Schedule | str = "end") -> None:
        super().__init__(schedule)
        self.draws = draws

    def measure(self, subject: Subject) -> Measurement:
        """Evaluate the test split once; resample on rank 0."""
        split = subject.data.test
        found = class_probabilities(outputs(subject, split)[SCORES]).cpu()
        seed = seed_for(subject.seed, "classification resamples")
        classes = len(subject.data.spec.classes)

        def report() -> ClassificationReport:
            return classification_report(found, split.y, split.group, self.draws, seed, classes)

        result = on_first(report, subject)
        scalars = {f"test/{name}": value for name, value in result.scalars().items()}
        del scalars["test/accuracy"]  # `evaluation` has it
        if subject.rank or not subject.last:
            return Measurement(scalars)
        columns = {"index": split.source, "label": split.y}
        if split.group is not None:
            columns["group"] = split.group
        columns |= {f"p_{c}": found[:, c] for c in range(found.shape[1])}
        table = {name: column.numpy() for name, column in columns.items()}
        for name, texts in subject.data.test_names.items():
            table[name] = np.array([printable(text) for text in texts])
        shown = max(classes, int(found.argmax(1).max()) + 1)  # outputs beyond are never predicted
        figure = confusion_matrix(result.confusion[:shown, :shown], subject.data.spec)
        few = _few_units(result.units, "image" if split.group is None else "group")
        return Measurement(
            scalars,
            figures={"test/confusion": figure},
            tables={"predictions": table},
            notes=(*_positive_class(subject), *_without_images(subject), *few),
        )


def _positive_class(subject: Subject) -> tuple[str, ...]:
    """Which of two classes of a user's own images the scores are of: names decide, not meaning."""
    if not is_own(subject) or len(subject.data.spec.classes) != 2:
        return ()
    return (
        f"sensitivity, specificity, F1 and AUROC are of class {subject.data.spec.class_name(1)}",
    )


def _without_images(subject: Subject) -> tuple[str, ...]:
    """The note that classes have no test image; none if all have some."""
    spec, occurring = subject.data.spec, set(subject.data.test.y.tolist())
    absent = [spec.class_name(c) for c in range(len(spec.classes)) if c not in occurring]
    if not absent:
        return ()
    few = counted(len(absent), "class", "classes")
    return (
        f"no test image of {few} ({first_of(absent)}): scores are means over the other classes",
    )


def _few_units(units: int, kind: str) -> tuple[str, ...]:
    """The note that there are too few units for intervals; none if there are enough.

    >>> _few_units(19, "group"), _few_units(20, "group")
    (('no 95 % intervals: 19 groups in the test set, 20 needed',), ())
    """
    if units >= FEWEST_UNITS:
        return ()
    found = counted(units, kind)
    return (f"no 95 % intervals: {found} in the test set, {FEWEST_UNITS} needed",)
