"""Data drawn from a known law, as images of any shape."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from torch import Tensor

from datamodules.base import TensorDataModule
from datamodules.channel_statistics import channel_statistics
from datamodules.errors import DataError
from datamodules.law import Law
from datamodules.spec import DataSpec
from datamodules.split import Split
from datamodules.tasks.task import Task


@dataclass(frozen=True, kw_only=True)
class SyntheticData:
    """Two classes in R^D, D = channels x size x size; float32, unbounded, no file anywhere.

    Args:
        name: of the data set in keys and figures.
        law: draws examples and labels.
        task: may relabel (noise, function); otherwise the law's labels are used.
        n: training examples.
        seed: of the run.
        batch_size: over all processes.
        channels: of an image.
        size: pixels per side.
        test_n: test examples, drawn separately.
        default_task: what `task=default` means here.
        cache: not used; all data sets have the same arguments.
        use_standin: not used either.
        validation: share or number of the n examples that are not trained on.
    """

    name: str
    law: Law
    task: Task
    n: int
    seed: int
    batch_size: int
    channels: Literal[1, 3] = 1
    size: int = 32
    test_n: int = 2000
    default_task: Literal["all"] = "all"
    cache: Path | None = None
    use_standin: bool = False
    validation: float | int | None = None

    def module(self) -> "SyntheticModule":
        """The datamodule; nothing is drawn yet."""
        return SyntheticModule(self)


class SyntheticModule(TensorDataModule):
    """Draws the examples of a `SyntheticData`."""

    # (k, D) after setup: directions that determine the law's labels
    directions: Tensor | None = None

    def __init__(self, settings: SyntheticData) -> None:
        super().__init__(settings.n, settings.seed, settings.batch_size, settings.validation)
        name, n, test_n = settings.name, settings.n, settings.test_n
        if min(n, test_n) < 2:
            raise DataError(f"`{name}` with n={n}, data.test_n={test_n}: both need at least 2.")
        self.settings, self.name = settings, name

    def load(self) -> tuple[DataSpec, Split, Split]:
        """Draw, relabel and describe."""
        settings = self.settings
        shape = (settings.channels, settings.size, settings.size)
        drawn = settings.law.draw(self.n, settings.test_n, shape, self.seed)
        train = self.mark_validation(drawn.train)
        train, test = settings.task.relabel(train, drawn.test, 2, self.seed)
        self.directions = drawn.directions
        # variants of the test images have the labels of the test set
        self.variants = {name: replace(split, y=test.y) for name, split in drawn.variants.items()}
        mean, std = channel_statistics(train.x)
        spec = DataSpec(
            name=self.name,
            domain="synthetic",
            channels=settings.channels,
            size=settings.size,
            classes=("0", "1"),
            n=len(train),
            test_n=len(test),
            groups=None,
            mean=mean,
            std=std,
            value_range=None,
        )
        return spec, train, test
