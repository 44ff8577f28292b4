"""The LightningDataModule that all data sets share: tensors in, batches out."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Protocol

import pytorch_lightning as pl
import torch
from torch import Tensor

from datamodules.augmentation import Augmentation
from datamodules.batches import Batches
from datamodules.channel_statistics import channel_statistics
from datamodules.divide import held_out
from datamodules.spec import DataSpec, Domain
from datamodules.split import Split
from records.seeds import seed_for


class DataSettings(Protocol):
    """What `_target_` of a data set builds: its settings, with the n and seed of the run."""

    def module(self) -> "TensorDataModule":
        """The datamodule; nothing is read yet."""
        ...


class TensorDataModule(pl.LightningDataModule):
    """Holds a training and a test split as tensors. Subclasses implement `load`."""

    name: str
    domain: Domain
    classes: tuple[str, ...]
    is_standin: bool = False
    folder: str = ""  # see `DataSpec`
    spec: DataSpec
    train: Split
    test: Split
    validation: Split | None = None  # training images set aside, by group
    keeps_groups: bool = True  # whether a group stays on one side
    order_seed: int | None = None  # of the order of batches; None: the data's seed
    notes: tuple[str, ...] = ()  # what was left out or replaced, counted, for the record
    warnings: tuple[str, ...] = ()  # also printed: groups that are not kept apart
    fingerprint: str | None = None  # of the files that were read; None: generated, or no files
    augmentation: Augmentation | None = None  # of training batches; probes use the images unchanged
    image_names: tuple[str, ...] | None = None  # by number in the listing: file, slice, row
    test_names: dict[str, list[str]]  # `file` and `group_name` of each test image, where known
    variants: dict[str, Split]  # the test images changed in a known way, by name; often none

    def __init__(
        self, n: int, seed: int, batch_size: int, validation: float | int | None = None
    ) -> None:
        super().__init__()
        self.n = n  # training images, those of the validation set included
        self.seed = seed  # of class pair, subset and split
        self.batch_size = batch_size  # over all processes
        self.validation_share = validation  # or number, of the n images that are not trained on
        self.variants = {}
        self.test_names = {}

    @abstractmethod
    def load(self) -> tuple[Split, Split]:
        """Read (or generate) the training and the test split, and set `classes`.

        `mark_validation` comes before transforms and new labels.
        """

    def setup(self, stage: str | None = None) -> None:
        """Load once; Lightning may call this for every stage."""
        if hasattr(self, "spec"):
            return
        whole, self.test = self.load()
        chosen, self.train = whole.set_aside, replace(whole, set_aside=None)
        if chosen is not None:
            self.validation, self.train = self.train.take(chosen), self.train.take(~chosen)
        self.spec = self._describe()

    def mark_validation(self, train: Split) -> Split:
        """Choose the validation images; before anything is fitted or relabelled."""
        if self.validation_share is None:
            return train
        groups = None if train.group is None or not self.keeps_groups else train.group.numpy()
        seed = seed_for(self.seed, "validation")
        chosen = held_out(train.y.numpy(), groups, self.validation_share, seed)
        return replace(train, set_aside=torch.from_numpy(chosen))

    def _describe(self) -> DataSpec:
        train = self.train
        mean, std = channel_statistics(train.x)
        return DataSpec(
            name=self.name,
            domain=self.domain,
            channels=train.x.shape[1],
            size=train.x.shape[-1],
            classes=self.classes,
            n=len(train),
            test_n=len(self.test),
            groups=None if train.group is None else len(train.group.unique()),
            mean=mean,
            std=std,
            value_range=None if train.x.is_floating_point() else (0.0, 1.0),
            standin=self.is_standin,
            validation_n=0 if self.validation is None else len(self.validation),
            folder=self.folder,
        )

    def train_dataloader(self) -> Batches:
        """Shuffled and augmented every epoch by (seed, epoch); in order with `overfit_batches`."""
        if self.trainer is not None and self.trainer.overfit_batches > 0:  # type: ignore[attr-defined]
            return self._batches(self.train, seed=None)
        change = self.augmentation and partial(self.augmentation, fill=self.spec.mean)
        seed = self.seed if self.order_seed is None else self.order_seed
        return self._batches(self.train, seed, change)

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
