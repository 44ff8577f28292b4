"""Loss and scores on the validation images, after every epoch."""

import pytorch_lightning as pl

from callbacks.evaluation import evaluate
from callbacks.outputs import SCORES, outputs
from callbacks.probe import Probe
from callbacks.subject import Measurement, Subject
from metrics.functional.class_probabilities import class_probabilities
from metrics.functional.classification_scores import classification_scores


class Validation(Probe):
    """`validation/loss`, `validation/accuracy`, `validation/auroc` and the other scores, per epoch.

    Measured if `data.validation` sets images aside. Of an ensemble, loss and accuracy are means
    over members, the other scores are of the first member.

    Reading it: the best value over epochs is optimistic, because these images chose the epoch. The
    test set has no part in the choice.
    """

    name = "validation"

    def __init__(self) -> None:
        super().__init__("every")

    def measure(self, subject: Subject) -> Measurement:
        """Evaluate the validation images."""
        split = subject.data.validation
        assert split is not None
        loss, accuracy = evaluate(subject, split)
        found = class_probabilities(outputs(subject, split)[SCORES]).cpu()
        classes = len(subject.data.spec.classes)
        scores = classification_scores(found, split.y, classes=classes)
        numbers = {name: float(one) for name, one in scores.items()}
        numbers |= {"loss": loss, "accuracy": accuracy}
        return Measurement({f"validation/{name}": value for name, value in numbers.items()})

    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Measure after every epoch, the last one too: it may be the best."""
        self._if_due(trainer, pl_module, trainer.current_epoch + 1, last=False)

    def on_test_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Nothing to do: the tested network was measured after its epoch."""
