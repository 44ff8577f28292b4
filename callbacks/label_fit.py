"""Fit of the training labels, separately for clean and corrupted ones."""

from callbacks.evaluation import predictions
from callbacks.points import fixed_points
from callbacks.sampled_probe import SampledProbe
from callbacks.subject import Measurement, Subject


class LabelFit(SampledProbe):
    """Training loss and accuracy on clean and on corrupted labels (Zhang et al. 2017).

    Logs `train/loss_clean`, `train/accuracy_clean`, `train/loss_corrupted`,
    `train/accuracy_corrupted`, all against the labels trained on, and `train/accuracy_recovered`:
    the share of images with corrupted labels for which the network predicts the clean label.
    Nothing is logged if no label is corrupted.

    Reading it: a network that learns the pattern before the noise has `accuracy_recovered` near its
    test accuracy and `accuracy_corrupted` near 0; after it has memorised the labels, the reverse.
    """

    name = "label_fit"

    def measure_images(self, subject: Subject, count: int | None) -> Measurement:
        """Evaluate the training images once and average over each kind of label."""
        split = subject.data.train
        if split.clean_y is None or not split.corrupted.any():
            return Measurement({})
        chosen = fixed_points(len(split), count, subject.seed)
        loss, prediction, y = (values.cpu() for values in predictions(subject, split, count))
        clean_y, corrupted = split.clean_y[chosen], split.corrupted[chosen]
        scalars: dict[str, float] = {}
        images: dict[str, int] = {}
        for kind, rows in (("clean", ~corrupted), ("corrupted", corrupted)):
            if rows.any():
                names = f"train/loss_{kind}", f"train/accuracy_{kind}"
                means = loss[rows].mean(), (prediction == y)[rows].double().mean()
                scalars |= zip(names, map(float, means), strict=True)
                images |= dict.fromkeys(names, int(rows.sum()))
        if corrupted.any():
            recovered = (prediction == clean_y)[corrupted]
            scalars["train/accuracy_recovered"] = float(recovered.double().mean())
            images["train/accuracy_recovered"] = len(recovered)
        return Measurement(scalars, images=images)
