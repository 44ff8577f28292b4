"""How well the training labels are fitted, true and corrupted ones apart."""

from callbacks.evaluation import answers
from callbacks.probe import Probe
from callbacks.subject import Measurement, Subject


class LabelFit(Probe):
    """Training loss and accuracy on clean and on corrupted labels (Zhang et al. 2017).

    Logs `train/loss_clean`, `train/accuracy_clean`, `train/loss_corrupted`,
    `train/accuracy_corrupted`, all against the labels trained on, and `train/accuracy_recovered`:
    the share of corrupted images that the network gives their clean label. Nothing is logged where
    no label is corrupted.

    Reading it: a network that learns the pattern before the noise has `accuracy_recovered` near its
    test accuracy and `accuracy_corrupted` near 0; once it has memorised, the two change places.
    """

    name = "label_fit"

    def measure(self, subject: Subject) -> Measurement:
        """Evaluate the training set once and average over each kind of label."""
        split = subject.data.train
        if split.clean_y is None or not split.corrupted.any():
            return Measurement({})
        loss, prediction = (values.cpu() for values in answers(subject, split))
        scalars = {}
        for kind, rows in (("clean", ~split.corrupted), ("corrupted", split.corrupted)):
            if rows.any():
                right = prediction[rows] == split.y[rows]
                scalars[f"train/loss_{kind}"] = float(loss[rows].mean())
                scalars[f"train/accuracy_{kind}"] = float(right.double().mean())
        recovered = (prediction == split.clean_y)[split.corrupted]
        scalars["train/accuracy_recovered"] = float(recovered.double().mean())
        return Measurement(scalars)
