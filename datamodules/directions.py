"""Directions in input space from a seed, a file, a list, or a network's geometry.

Vectors are flattened in (channels, height, width) order throughout, as in a network's input; the
published code of Movahedi et al. mixed it with (height, width, channels), which scrambles them.
"""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from datamodules.errors import DataError
from records.array_file import ArrayFile, read_header, read_values
from records.seeds import seed_for

MOST = 2**30  # bytes of a file's array: 3,072 eigenvectors of CIFAR take 75 million

Direction = int | str | Sequence[float]
Shape = tuple[int, int, int]  # channels, height, width


class Eigenbasis(Protocol):
    """Returns eigenvalues (R,), descending, and eigenvectors (D, R), as columns, of a matrix.

    The matrix is an average geometry G_F, or G_F S G_F. The configuration provides it, because data
    sets do not depend on networks.
    """

    def __call__(self) -> tuple[Tensor, Tensor]:
        """Compute them, or read them from a cache."""
        ...


def read_eigenbasis(
    geometry: str | Path | Eigenbasis | None, shape: Shape
) -> tuple[Tensor, Tensor]:
    """The eigenvalues and eigenvectors, float64, checked against the shape of an image.

    `geometry` is a callable, or an .npz file with `eigenvalues`, in descending order, and
    `eigenvectors`.
    """
    if geometry is None:
        raise DataError(
            "A direction given by number is an eigenvector of a network's geometry, and none is "
            "given: set `geometry` to an .npz file with `eigenvalues` and `eigenvectors`, or the "
            "direction to `random`."
        )
    if isinstance(geometry, str | Path):
        arrays = _load(Path(geometry), "eigenvalues", "eigenvectors")
        values, vectors = (torch.from_numpy(array).double() for array in arrays)
    else:
        values, vectors = (torch.as_tensor(array).double().cpu() for array in geometry())
    dimension = int(np.prod(shape))
    if values.ndim != 1 or vectors.shape != (dimension, len(values)):
        raise DataError(
            f"geometry: eigenvalues {tuple(values.shape)} and eigenvectors {tuple(vectors.shape)}; "
            f"images of {shape} need (R,) and ({dimension}, R), eigenvectors as columns."
        )
    if not (values.isfinite().all() and vectors.isfinite().all()):
        raise DataError("geometry: eigenvalues or eigenvectors are not finite.")
    if (values.diff() > 1e-6 * values.abs().max()).any():
        raise DataError(
            "geometry: eigenvalues must be in descending order, with their eigenvectors."
        )
    return values, vectors


def find_direction(
    direction: Direction,
    name: str,
    shape: Shape,
    seed: int,
    geometry: str | Path | Eigenbasis | None = None,
) -> Tensor:
    """One unit vector (D,), float64.

    `direction` is a number i (the i-th eigenvector of `geometry`, strongest first; -1 the weakest),
    `random`, the path of an .npy or .npz file (array `direction`), or D numbers. `name` is its
    config key: for messages, and so that two random directions of one seed differ.

    Reading it: single eigenvectors of a repeated eigenvalue (all of an MLP's, a ViT's first 64)
    are arbitrary; only their span has a meaning.

    >>> u = find_direction("random", "u1", (1, 4, 4), seed=0)
    >>> u.shape, round(float(u.norm()), 9)
    (torch.Size([16]), 1.0)
    >>> find_direction([0, 3, 0, 4], "u1", (1, 2, 2), seed=0).tolist()
    [0.0, 0.6, 0.0, 0.8]
    """
    dimension = int(np.prod(shape))
    if isinstance(direction, int):
        values, vectors = read_eigenbasis(geometry, shape)
        if not -len(values) <= direction < len(values):
            raise DataError(f"{name}={direction}: the geometry has {len(values)} eigenvectors.")
        vector = vectors[:, direction]
    elif direction == "random":
        random = np.random.default_rng(seed_for(seed, "direction", name))
        vector = torch.from_numpy(random.standard_normal(dimension))
    elif isinstance(direction, str):
        (array,) = _load(Path(direction), "direction")
        if array.ndim > 1 and array.shape != shape:
            raise DataError(f"{name}: {direction} holds {array.shape}; expected (C, H, W) {shape}.")
        vector = torch.from_numpy(array.reshape(-1)).double()
    else:
        vector = torch.tensor(list(direction), dtype=torch.float64)
    if len(vector) != dimension:
        raise DataError(f"{name}: {len(vector)} numbers; images of {shape} have {dimension}.")
    length = float(vector.norm())
    if not np.isfinite(length) or length == 0:
        raise DataError(f"{name}: a direction of length {length}; it must be finite and not zero.")
    return vector / length


def orthonormal(**directions: Tensor) -> Tensor:
    """The directions as orthonormal rows (k, D), by Gram-Schmidt in the given order.

    >>> e, f = torch.tensor([1.0, 0.0, 0.0]), torch.tensor([1.0, 0.0, 2.0])
    >>> orthonormal(u1=e, u2=f).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    rows: list[Tensor] = []
    for name, vector in directions.items():
        rest = vector / vector.norm()
        for _ in range(2):  # the second pass removes the first one's rounding
            for row in rows:
                rest = rest - (rest @ row) * row
        if float(rest.norm()) < 1e-6:
            others = ", ".join(list(directions)[: len(rows)])
            raise DataError(f"{name} lies in the span of {others}; choose another direction.")
        rows.append(rest / rest.norm())
    return torch.stack(rows)


def _load(path: Path, *names: str) -> tuple[np.ndarray, ...]:
    path = path.expanduser()
    if not path.is_file():
        raise DataError(
            f"No file {path}; a direction is a number, `random`, an .npy or .npz file, or a list."
        )
    try:
        if zipfile.is_zipfile(path):
            stored = [ArrayFile(path).read(name, MOST) for name in names]
        elif len(names) == 1:
            with path.open("rb") as file:
                stored = [read_values(file, read_header(file), MOST)]
        else:
            raise ValueError("a single array")
        return tuple(np.asarray(array, dtype=np.float64) for array in stored)
    except Exception as error:  # a damaged file can raise anything
        wanted = " and ".join(names)
        raise DataError(f"{path}: not an .npy or .npz file with {wanted}: {error}") from error
