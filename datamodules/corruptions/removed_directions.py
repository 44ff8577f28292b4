"""Images without directions of high variance and low sensitivity (Movahedi et al., section 5)."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from datamodules.directions import Eigenbasis, read_eigenbasis
from datamodules.errors import DataError
from datamodules.normalised import channel_scale, normalised
from datamodules.split import Split
from metrics.functional.eigen_geometry import eigen_geometry
from metrics.functional.generalized_directions import generalized_directions
from metrics.functional.geometry import Geometry
from metrics.functional.second_moment import SecondMoment
from records.seeds import seed_for

LARGEST = 16_384  # dimensions; S and G are D x D here: 2 GB each


@dataclass
class RemovedDirections:
    r"""x -> x - \sum_{i<=k} v_i v_i^T x, with S v = mu (G + ridge ||G||_2 I) v, mu descending.

    S is the second moment of the training images, normalised per channel; the v_i are made
    orthonormal in that order. Figure 6 of the paper. Its published code removed the leading
    eigenvectors of G S G, to which the network is most sensitive: `solve="gsg"`.

    Reading it: if test accuracy stays while much variance is removed, the network is not sensitive
    to that variance. Compare with `random`: random orthonormal directions, as many as remove the
    same variance.
    """

    count: int  # k
    geometry: str | Eigenbasis | None = None  # of a network: an .npz file or a callable
    which: Literal["geometry", "random"] = "geometry"  # `random` is the baseline
    ridge: float = 1e-6  # keeps G invertible; relative to its largest eigenvalue
    # `generalized`, or `gsg` for the eigenvectors of G S G instead
    solve: Literal["generalized", "gsg"] = "generalized"

    def __post_init__(self) -> None:
        if self.count < 0 or self.ridge <= 0:
            raise DataError(
                f"removed_directions: count={self.count} must be 0 or more and ridge={self.ridge} "
                "above 0."
            )

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Find the directions on `train`, remove them from both."""
        channels, height, width = train.x.shape[1:]
        dimension = channels * height * width
        if self.count > dimension or dimension > LARGEST:
            raise DataError(
                f"removed_directions.count={self.count} of images with {dimension} values: at most "
                f"as many, and at most {LARGEST} values; use a smaller data.size."
            )
        moment = SecondMoment((channels, height, width), dense=True, exact=True)
        fitted = train.fitted
        for x in normalised(fitted, fitted):
            moment.add(x)
        covariance = moment.geometry()
        second_moment = covariance.dense()
        v = self._directions(covariance)
        if self.which == "random":
            share = _shares(v, second_moment).sum()
            random = np.random.default_rng(seed_for(seed, "removed directions"))
            v = torch.linalg.qr(torch.from_numpy(random.standard_normal((dimension, dimension)))).Q
            reached = _shares(v, second_moment).cumsum(0)
            v = v[:, : int((reached < share - 1e-12).sum()) + 1] if self.count else v[:, :0]
        return self._without(train, fitted, v), self._without(test, fitted, v)

    def _directions(self, covariance: Geometry) -> Tensor:
        """(D, k) orthonormal columns."""
        values, vectors = read_eigenbasis(self.geometry, covariance.input_shape)
        geometry = eigen_geometry(values, vectors.T, covariance.input_shape)
        if self.solve == "generalized":
            found = generalized_directions(geometry, covariance, self.ridge).orthonormal
            return found[: self.count].T
        rows = geometry.sandwich(covariance).rows  # of orthonormal rows: eigenvectors, ascending
        assert rows is not None
        return rows.flip(0)[: self.count].T

    def _without(self, split: Split, fitted: Split, v: Tensor) -> Split:
        _, std = channel_scale(fitted)
        gone = torch.cat([(x @ v @ v.T).float() for x in normalised(split, fitted)])
        return replace(split, x=split.images() - std.float() * gone.reshape(split.x.shape))


def _shares(v: Tensor, second_moment: Tensor) -> Tensor:
    """(k,) v_i^T S v_i / tr S."""
    return (v * (second_moment @ v)).sum(0) / second_moment.trace()
