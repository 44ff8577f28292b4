"""Labels that are a function of the pixels along one direction (Movahedi et al., section 4.2)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from datamodules.boundary import median_bias, response, side
from datamodules.directions import Eigenbasis, find_direction, read_eigenbasis
from datamodules.errors import DataError
from datamodules.normalised import CHUNK, channel_scale, normalised
from datamodules.reader import Listing
from datamodules.split import Split
from datamodules.tasks.task import Labels, Task
from metrics.functional.sandwich_spectrum import sandwich_spectrum
from records.seeds import seed_for


class Function(Task):
    r"""y = [g(x^T u) + b > 0] with g(v) = v, v^2 or sin(frequency v), and b = -median over train.

    Reading it: half of the training images are on either side by construction, for every u, so that
    test accuracy compares directions. `clean_y` has the labels without jitter.

    Args:
        kind: g.
        direction: u: a number (eigenvector of `geometry`), `random`, a file, or D numbers.
        geometry: eigenvalues and eigenvectors of a network's geometry: an .npz file or a callable.
        matrix: whose eigenvectors: `G`, the geometry itself, or `GSG`, the geometry weighted by the
            training images (the paper's Figure 4).
        pixel_order: `channel_first`: direction and image in the order of a network's input;
            `mixed`: the direction so, the image with its channels last, which scrambles the
            direction (the published code's Figure 4).
        units: what x is in the formula. `channel`: images with mean 0 and variance 1 per channel,
            as after a network's normalisation layer (the paper); `projection`: those, and x^T u
            brought to mean 0 and variance 1, which makes all directions equally hard; `pixel`: as
            stored, in [0, 1] (the published code for linear and quadratic: on bright images x^T u
            keeps one sign and quadratic means linear).
        frequency: of the sine; pi is the published code's, with units `projection`.
        jitter: size of the Gaussian noise on images when they are labelled, never when trained on.
        jitter_of: what it is relative to. `projection`: variance jitter x that of x^T u; `channel`:
            variance jitter x the channel's (the paper; along weak directions this drowns the
            signal); `range`: deviation jitter x (max - min) of the image's channel (its code).
        median_of: the split that determines b; the published code took `test`.
        noise, test_noise: see `Task`.
    """

    def __init__(
        self,
        kind: Literal["linear", "quadratic", "sinusoidal"] = "linear",
        direction: int | str | Sequence[float] = "random",
        geometry: str | Eigenbasis | None = None,
        matrix: Literal["G", "GSG"] = "G",
        pixel_order: Literal["channel_first", "mixed"] = "channel_first",
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
            raise DataError(f"task.jitter={jitter}: the size of the noise must be 0 or more.")
        self.kind, self.frequency, self.units = kind, frequency, units
        self.direction, self.geometry, self.matrix = direction, geometry, matrix
        self.pixel_order = pixel_order
        self.jitter, self.jitter_of = jitter, jitter_of
        self.median_of = median_of

    def labels(self, listing: Listing, seed: int) -> Labels:
        """All images; their labels come with the pixels."""
        index = np.flatnonzero(listing.labels >= 0)
        return Labels(index, np.zeros(len(index), np.int64), ("below", "above"), balanced=False)

    def assign(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Project, jitter, and cut at the median."""
        u = self._direction(train, seed)
        mean, std = (scale.flatten() for scale in channel_scale(train.fitted))
        w = u if self.units == "pixel" else u / std[:, None]
        along = {"train": _project(train, w), "test": _project(test, w)}
        fitted = along["train"][train.trained_on]
        spread = fitted.std(correction=0)
        one = torch.ones((), dtype=torch.float64)
        centre, scale = {
            "pixel": (0 * one, one),
            "channel": (mean @ w.sum(1), one),
            "projection": (fitted.mean(), spread),
        }[self.units]

        def values(part: str, jitter: Tensor | float) -> Tensor:
            return response(self.kind, (along[part] + jitter - centre) / scale, self.frequency)

        splits = {"train": train, "test": test}
        jittered = {
            part: values(part, self._jitter(split, w, std, spread, seed, part))
            for part, split in splits.items()
        }
        bias = median_bias(jittered[self.median_of][splits[self.median_of].trained_on])
        for part, split in splits.items():
            clean_y = side(values(part, 0.0), bias) if self.jitter else None
            splits[part] = replace(split, y=side(jittered[part], bias), clean_y=clean_y)
        if len(splits["train"].y.unique()) < 2:
            raise DataError(
                "task.direction: all training images fall on one side, as most of them share one "
                "value of x^T u; choose another direction."
            )
        return splits["train"], splits["test"]

    def _direction(self, train: Split, seed: int) -> Tensor:
        """(C, H W) float64."""
        channels, height, width = train.x.shape[1:]
        shape = (channels, height, width)
        geometry = self.geometry
        if self.matrix == "GSG":
            geometry = partial(data_geometry, *read_eigenbasis(self.geometry, shape), train.fitted)
        u = find_direction(self.direction, "task.direction", shape, seed, geometry)
        if self.pixel_order == "mixed":
            u = u.reshape(height, width, channels).permute(2, 0, 1)
        return u.reshape(channels, -1)

    def _jitter(
        self, split: Split, w: Tensor, std: Tensor, spread: Tensor, seed: int, part: str
    ) -> Tensor:
        """(N,) eta^T w of a noise image eta, which is normal: one draw per image is enough."""
        energy = w.square().sum(1)  # (C,)
        if self.jitter_of == "projection":
            deviation = self.jitter**0.5 * spread
        elif self.jitter_of == "channel":
            deviation = (self.jitter * (std.square() @ energy)).sqrt()
        else:
            deviation = self.jitter * (_ranges(split).square() @ energy).sqrt()
        random = np.random.default_rng(seed_for(seed, "label jitter", part))
        return torch.from_numpy(random.standard_normal(len(split))) * deviation


def data_geometry(eigenvalues: Tensor, eigenvectors: Tensor, train: Split) -> tuple[Tensor, Tensor]:
    r"""Eigenvalues and eigenvectors of G S G, with S = (1/n) \sum x x^T over the training images.

    Images are normalised per channel, as a network's first layer does; S is not centred beyond
    that. G has eigenvalues (R,), descending, and eigenvectors (D, R), as columns; the result has
    min(n, R) of each.

    >>> x = torch.tensor([[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]]).reshape(4, 1, 1, 2)
    >>> split = Split(x, torch.zeros(4), torch.arange(4))
    >>> values, vectors = data_geometry(torch.ones(2), torch.eye(2), split)
    >>> [round(float(v), 3) for v in values]  # channel variance 2.5: 4.5 / 2.5 and 0.5 / 2.5
    [1.8, 0.2]
    """
    values, vectors = sandwich_spectrum(eigenvalues, eigenvectors.T, normalised(train, train))
    return values, vectors.T


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
