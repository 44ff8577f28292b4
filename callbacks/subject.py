"""What a probe measures (`Subject`), and its result (`Measurement`)."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor, nn

from datamodules.spec import DataSpec
from datamodules.split import Split

Reduction = Literal["mean", "sum", "none"]


class Data(Protocol):
    """Interface: the parts of a datamodule that probes use."""

    spec: DataSpec
    train: Split
    test: Split
    validation: Split | None  # images set aside from the training set
    image_names: tuple[str, ...] | None  # by number in the listing (`Split.source`): files, slices
    test_names: dict[str, list[str]]  # `file` and `group_name` of each test image, where known
    variants: dict[str, Split]  # variants of the test set by name; usually none


class Loss(Protocol):
    """Interface: the parts of the training loss that probes use."""

    def __call__(self, scores: Tensor, y: Tensor, reduction: Reduction = "mean") -> Tensor:
        """Loss of scores and labels; `none` gives one number per image."""
        ...

    def predict(self, scores: Tensor) -> Tensor:
        """The predicted class."""
        ...


@dataclass(frozen=True)
class Subject:
    """The data and the networks of a run, at one moment of training.

    There is one network, or several in an ensemble, or none with `model=none`. Probes that average
    over members, as loss and accuracy do, use `networks`; the others measure `network`.
    """

    data: Data
    seed: int
    networks: tuple[nn.Module, ...] = ()
    loss: Loss | None = None
    epoch: int = 0  # completed epochs
    last: bool = True  # training is over, or there is none
    continued: bool = False  # the probe has measured at earlier epochs too
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    rank: int = 0
    world: int = 1
    layers: tuple[str, ...] = ()  # hidden layers that probes read of the training images now
    memo: dict[Any, Any] | None = None  # results that probes share: see `callbacks.outputs`
    normalise: nn.Module | None = None  # of the images; see `behind_normalisation`

    @property
    def network(self) -> nn.Module:
        """The first network, the same that a run without an ensemble trains."""
        if not self.networks:
            raise ValueError("there is no network to measure (model=none)")
        return self.networks[0]

    def members(self) -> Iterator["Subject"]:
        """One subject for each network of an ensemble."""
        for network in self.networks:
            layers = self.layers if network is self.network else ()
            yield replace(self, networks=(network,), layers=layers)

    def behind_normalisation(self) -> "Subject":
        """The networks without their normalisation, and normalised images; the same without one.

        There geometries and covariances depend neither on the common mean of the images nor on the
        units of the channels.
        """
        inner = tuple(getattr(network, "network", network) for network in self.networks)
        return replace(self, networks=inner, normalise=getattr(self.network, "normalize", None))

    @property
    def dtype(self) -> torch.dtype:
        """The dtype of the network's parameters; float32 without a network."""
        parameters = (p for network in self.networks for p in network.parameters())
        return next((p.dtype for p in parameters), torch.float32)

    @torch.no_grad()
    def images(self, split: Split, index: Tensor | slice | None = None) -> Tensor:
        """Images of a split, on the network's device and in its dtype."""
        images = split.images(index).to(self.device, self.dtype)
        if self.normalise is None or not len(images):  # torch warns of the variance of no image
            return images
        return self.normalise(images)

    @torch.no_grad()
    def images_in_memory(self, split: Split, index: Tensor) -> Tensor:
        """The same in float32 in main memory; no image is copied from the device."""
        images = split.images(index).to(self.dtype)
        return (
            images if self.normalise is None else deepcopy(self.normalise).cpu()(images)
        ).float()

    def batch(self, split: Split, index: Tensor) -> tuple[Tensor, Tensor]:
        """Images and labels at these positions of a split, on the device."""
        return self.images(split, index), split.y[index].to(self.device)


@dataclass(frozen=True)
class Measurement:
    """Numbers by name, with arrays, figures and tables to be saved."""

    scalars: dict[str, float]  # `stage/quantity[/layer][@parameter]`
    arrays: dict[str, np.ndarray] = field(default_factory=dict)  # arrays/<name>@<epoch>.npz
    figures: dict[str, Figure] = field(default_factory=dict)  # figures/<name>.png
    absent: tuple[str, ...] = ()  # names of numbers that it can have, but not this time
    notes: tuple[str, ...] = ()  # for the record: which part could not be measured, and why
    tables: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)  # <name>.parquet
    images: dict[str, int] = field(default_factory=dict)  # number of images of each scalar
    curve_point: "Measurement | None" = None  # at the end: the curve's last point, on fewer images
