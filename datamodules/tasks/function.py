"""Labels that are a function of the pixels along one direction (Movahedi et al., section 4.2)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from datamodules.boundary import median_bias, response, side
from datamodules.channel_statistics import channel_statistics
from datamodules.directions import Geometry, find_direction
from datamodules.errors import DataError
from datamodules.reader import Listing
from datamodules.split import Split
from datamodules.tasks.task import Labels, Task
from records.seeds import seed_for

CHUNK = 64  # images held as float64 at once: 77 MB at 224 x 224 x 3


class Function(Task):
    r"""y = [g(x^T u) + b > 0] with g(v) = v, v^2 or sin(frequency v), and b = -median over train.

    Reading it: half of the training images are on either side by construction, whatever u, so that
    test accuracy compares directions. `clean_y` has the labels that no jitter has touched.

    Args:
        kind: `linear`, `quadratic` or `sinusoidal`.
        direction: u: a number (eigenvector of `geometry`), `random`, a file, or D numbers.
        geometry: eigenvalues and eigenvectors of a network's geometry: an .npz file or a callable.
        units: what x is in the formula. `projection`: v has mean 0 and variance 1 over train, so
            that every direction is equally hard; `channel`: channels have mean 0 and variance 1
            (the paper); `pixel`: as stored, in [0, 1] (the published code, for linear and
            quadratic; there x^T u keeps one sign on bright images and quadratic means linear).
        frequency: of the sine; pi is the published code's, with units `projection`.
        jitter: size of the Gaussian noise on images when they are labelled, never when trained on.
        jitter_of: what it is relative to. `projection`: variance jitter x that of x^T u; `channel`:
            variance jitter x the channel's (the paper; along weak directions this drowns the
            signal); `range`: deviation jitter x (max - min) of the image's channel (its code).
        median_of: the split that gives b; the published code took `test`.
        noise: fraction of the training labels drawn anew.
        test_noise: draw test labels anew too.
    """

    def __init__(
        self,
        kind: Literal["linear", "quadratic", "sinusoidal"] = "linear",
        direction: int | str | Sequence[float] = "random",
        geometry: str | Geometry | None = None,
        units: Literal["projection", "channel", "pixel"] = "projection",
        frequency: float = math.pi,
        jitter: float = 0.2,
        jitter_of: Literal["projection", "channel", "range"] = "projection",
        median_of: Literal["train", "test"] = "train",
        noise: float = 0.0,
        test_noise: bool = False,
    ) -> None:
        super().__init__(noise, test_noise)
        if jitter < 0:
            raise DataError(f"task.jitter={jitter}: the size of a noise; 0 or more.")
        self.kind, self.frequency, self.units = kind, frequency, units
        self.direction, self.geometry = direction, geometry
        self.jitter, self.jitter_of = jitter, jitter_of
        self.median_of = median_of

    def labels(self, listing: Listing, seed: int) -> Labels:
        """All images; their labels come with the pixels."""
        index = np.arange(len(listing))
        return Labels(index, np.zeros(len(index), np.int64), ("below", "above"), balanced=False)

    def assign(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Project, jitter, and cut at the median."""
        u = find_direction(
            self.direction, "task.direction", tuple(train.x.shape[1:]), seed, self.geometry
        ).reshape(train.x.shape[1], -1)
        mean, std = (torch.tensor(values).double() for values in channel_statistics(train.x))
        weight = torch.where(std > 0, 1 / std, 0)  # a constant channel says nothing
        w = u * weight[:, None] if self.units == "channel" else u
        along = {"train": _project(train, w), "test": _project(test, w)}
        centre, scale = 0.0, 1.0
        if self.units == "channel":
            centre = float(mean @ w.sum(1))
        elif self.units == "projection":
            centre, scale = along["train"].mean(), along["train"].std(correction=0)
        spread = along["train"].std(correction=0)
        clean, jittered = {}, {}
        for part, split in (("train", train), ("test", test)):
            jitter = self._jitter(split, w, std, spread, seed_for(seed, "label jitter", part))
            clean[part] = response(self.kind, (along[part] - centre) / scale, self.frequency)
            noisy = (along[part] + jitter - centre) / scale
            jittered[part] = response(self.kind, noisy, self.frequency)
        bias = median_bias(jittered[self.median_of])
        y = {part: side(values, bias) for part, values in jittered.items()}
        if len(y["train"].unique()) < 2:
            raise DataError(
                "task.direction: all training images fall on one side, as most of them share one "
                "value of x^T u; choose another direction."
            )
        clean_y = {
            part: side(values, bias) if self.jitter else None for part, values in clean.items()
        }
        return (
            replace(train, y=y["train"], clean_y=clean_y["train"]),
            replace(test, y=y["test"], clean_y=clean_y["test"]),
        )

    def _jitter(self, split: Split, w: Tensor, std: Tensor, spread: Tensor, seed: int) -> Tensor:
        """(N,) eta^T w of a noise image eta, which is normal: one draw an image is enough."""
        energy = w.square().sum(1)  # (C,)
        if self.jitter_of == "projection":
            deviation = self.jitter**0.5 * spread
        elif self.jitter_of == "channel":
            deviation = (self.jitter * (std.square() @ energy)).sqrt()
        else:
            deviation = self.jitter * (_ranges(split).square() @ energy).sqrt()
        draws = np.random.default_rng(seed).standard_normal(len(split))
        return torch.from_numpy(draws) * deviation


def _project(split: Split, w: Tensor) -> Tensor:
    """(N,) float64 x^T w."""
    flat = w.reshape(-1)
    rows = torch.arange(len(split)).split(CHUNK)
    return torch.cat([split.images(index).double().flatten(1) @ flat for index in rows])


def _ranges(split: Split) -> Tensor:
    """(N, C) float64: largest less smallest pixel of each channel of each image."""
    rows = torch.arange(len(split)).split(CHUNK)
    flat = (split.images(index).double().flatten(2) for index in rows)
    return torch.cat([x.amax(2) - x.amin(2) for x in flat])
