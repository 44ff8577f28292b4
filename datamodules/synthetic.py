"""Data drawn from a known law, as images of any shape."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from torch import Tensor

from datamodules.base import TensorDataModule
from datamodules.errors import DataError
from datamodules.law import Law
from datamodules.split import Split
from datamodules.tasks.task import Task


@dataclass(frozen=True, kw_only=True)
class SyntheticData:
    """Two classes in R^D, D = channels x size x size; float32, unbounded, no file anywhere."""

    name: str  # of the data set in keys and figures
    law: Law  # draws examples and labels
    task: Task  # may relabel (noise, function); otherwise the law's labels are used
    n: int  # training examples
    seed: int  # of the run
    batch_size: int  # over all processes
    channels: Literal[1, 3] = 1  # of an image
    size: int = 32  # pixels per side
    test_n: int = 2000  # test examples, drawn separately
    default_task: Literal["all"] = "all"  # what `task=default` means here
    cache: Path | None = None  # not used; all data sets have the same arguments
    use_standin: bool = False  # not used either
    # share or number of the n examples that are not trained on
    validation: float | int | None = None

    def module(self) -> "SyntheticModule":
        """The datamodule; nothing is drawn yet."""
        return SyntheticModule(self)


class SyntheticModule(TensorDataModule):
    """Draws the examples of a `SyntheticData`."""

    domain, classes = "synthetic", ("0", "1")
    # (k, D) after setup: directions that determine the law's labels
    directions: Tensor | None = None

    def __init__(self, settings: SyntheticData) -> None:
        super().__init__(settings.n, settings.seed, settings.batch_size, settings.validation)
        name, n, test_n = settings.name, settings.n, settings.test_n
        if min(n, test_n) < 2:
            raise DataError(f"`{name}` with n={n}, data.test_n={test_n}: both need at least 2.")
        self.settings, self.name = settings, name

    def load(self) -> tuple[Split, Split]:
        """Draw and relabel."""
        settings = self.settings
        shape = (settings.channels, settings.size, settings.size)
        drawn = settings.law.draw(self.n, settings.test_n, shape, self.seed)
        train = self.mark_validation(drawn.train)
        train, test = settings.task.relabel(train, drawn.test, 2, self.seed)
        self.directions = drawn.directions
        # variants of the test images have the labels of the test set
        self.variants = {name: replace(split, y=test.y) for name, split in drawn.variants.items()}
        return train, test
