"""The LightningDataModule that all data sets share: tensors in, batches out."""

from abc import abstractmethod
from collections.abc import Callable
from functools import partial

import pytorch_lightning as pl
from torch import Tensor

from datamodules.augmentation import Augmentation
from datamodules.batches import Batches
from datamodules.spec import DataSpec
from datamodules.split import Split


class TensorDataModule(pl.LightningDataModule):
    """Holds a training and a test split as tensors. Subclasses implement `load`.

    Args:
        n: training images.
        seed: the run's seed; class pair, subset and batch order derive from it.
        batch_size: over all processes.
    """

    name: str
    spec: DataSpec
    train: Split
    test: Split
    notes: tuple[str, ...] = ()  # what was left out or replaced, counted, for the record
    warnings: tuple[str, ...] = ()  # also printed: groups that are not kept apart
    fingerprint: str | None = None  # of the files that were read; None: generated, or no files
    augmentation: Augmentation | None = None  # of training batches; probes use the images unchanged
    image_names: tuple[str, ...] | None = None  # by number in the listing: file, slice, row
    variants: dict[str, Split]  # the test images changed in a known way, by name; often none

    def __init__(self, n: int, seed: int, batch_size: int) -> None:
        super().__init__()
        self.n = n
        self.seed = seed
        self.batch_size = batch_size
        self.variants = {}

    @abstractmethod
    def load(self) -> tuple[DataSpec, Split, Split]:
        """Read (or generate) the training and the test split and describe them."""

    def setup(self, stage: str | None = None) -> None:
        """Load once; Lightning may call this for every stage."""
        if not hasattr(self, "spec"):
            self.spec, self.train, self.test = self.load()

    def train_dataloader(self) -> Batches:
        """Shuffled and augmented every epoch by (seed, epoch); in order with `overfit_batches`."""
        if self.trainer is not None and self.trainer.overfit_batches > 0:  # type: ignore[attr-defined]
            return self._batches(self.train, seed=None)
        change = self.augmentation and partial(self.augmentation, fill=self.spec.mean)
        return self._batches(self.train, self.seed, change)

    def test_dataloader(self) -> Batches:
        """In order."""
        return self._batches(self.test, seed=None)

    def _batches(
        self, split: Split, seed: int | None, augment: Callable[..., Tensor] | None = None
    ) -> Batches:
        trainer = self.trainer
        if trainer is None:
            return Batches(split, self.batch_size, seed, augment=augment)
        return Batches(
            split,
            self.batch_size,
            seed,
            epoch=lambda: trainer.current_epoch,
            rank=trainer.global_rank,
            world=trainer.world_size,
            augment=augment,
        )
