"""G_F as several independent estimates, which give its error and that of derived quantities."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from metrics.functional.geometry import Geometry
from metrics.functional.geometry_checks import MATRIX_LIMIT
from metrics.functional.geometry_correlation import split_half_error
from metrics.functional.geometry_file import geometry_state
from metrics.functional.geometry_symmetry import Symmetry, expand_channels, symmetrise
from metrics.functional.one_thread import one_thread
from metrics.functional.random_rows import RandomRows
from metrics.functional.second_moment import SecondMoment

SMALL_SECONDS = 0.05  # of a network and its rows: more threads do not pay
PILOT_MODELS, PILOT_ROWS = 16, 8  # enough to distinguish rho = 0.01 from 0.1 and 1
FACTOR_BYTES = 5e8  # of all rows; with halves, their mean and eigenvectors 2 GB at the peak


@dataclass(frozen=True)
class GroupedGeometry:
    """Independent estimates of G, or of G_1 if G = I_C (x) G_1, the same for all channels."""

    groups: tuple[Geometry, ...]
    channels: int | None = None  # C if the groups are estimates of G_1, else None

    @property
    def error(self) -> float:
        """Relative error of the mean, by split halves."""
        return split_half_error(*self._halves())

    def mean(self) -> Geometry:
        """The mean over groups, with its split-half error."""
        a, b = self._halves()
        whole = replace(Geometry.mean_of([a, b]), error=split_half_error(a, b))
        return whole if self.channels is None else expand_channels(whole, self.channels)

    def rounded(self) -> "GroupedGeometry":
        """A copy in main memory with matrices in float32, equal to one read from a file."""
        parts = [group.cpu() for group in self.groups]
        groups = (
            one if one.matrix is None else replace(one, matrix=one.matrix.float()) for one in parts
        )
        return replace(self, groups=tuple(groups))

    def applied(self, x: Tensor) -> Tensor:
        """G_b x for rows x (N, D): (groups, N, D) in float32."""
        size = self.groups[0].dimension
        rows = x.reshape(-1, size)
        parts = []
        for group in self.groups:
            full = group.matrix
            product = group.matvec(rows) if full is None else rows.float() @ full.float()
            parts.append(product.float().reshape(len(x), -1))
        return torch.stack(parts)

    def _halves(self) -> tuple[Geometry, Geometry]:
        if len(self.groups) == 2:
            return self.groups[0], self.groups[1]
        return Geometry.mean_of(self.groups[::2]), Geometry.mean_of(self.groups[1::2])


def draw_groups(
    source: RandomRows,
    models: int,
    probes: int | None,
    names: Sequence[Symmetry],
    patch: int | None = None,
    target_error: float | None = None,
    exact: bool = False,
    count: int = 2,
    seconds: float | None = None,
    dtype: torch.dtype = torch.float64,
) -> GroupedGeometry:
    """Estimate G_F in `count` (even) groups of random networks; see `average_geometry`.

    `seconds` limits the time of one CPU core. It is estimated from the sizes of the layers, not
    measured, so the same seed gives the same numbers; each group has at least two networks. `dtype`
    is that of the sums.
    """
    shape = source.shape
    alone = "channels" in names  # each channel's gradient is a row of G_1
    kept = (1, *shape[1:]) if alone else shape
    split = shape[0] if alone else 1
    names = [name for name in names if name != "channels"]

    first: list[Tensor] = []
    if probes is None:
        first = [source.draw(index, PILOT_ROWS) for index in range(min(PILOT_MODELS, models))]
        probes = source.best_rows(first)
    if seconds is not None:
        models = min(models, max(2 * count, int(seconds / source.seconds(probes))))
    rows = models * probes * split
    dense = rows > math.prod(kept) and math.prod(kept) <= MATRIX_LIMIT
    _check_memory(rows, math.prod(kept), dense)
    sums = [SecondMoment(kept, dense, exact, dtype) for _ in range(count)]

    def error() -> float:  # averaging over symmetries is linear: two halves suffice
        halves = (SecondMoment.mean_of(sums[i::2]) for i in (0, 1))
        return split_half_error(*(symmetrise(half, names, patch) for half in halves))

    check = 2 * PILOT_MODELS
    with one_thread(source.seconds(probes) < SMALL_SECONDS):
        for index in range(models):
            new = first[index][:probes] if index < len(first) else source.draw(index, probes)
            sums[index % count].add(new.reshape(-1, math.prod(kept)))
            if target_error is not None and index + 1 == check:
                check += check // 2  # growing intervals keep the cost of checking small
                if error() <= target_error:
                    break
    groups = tuple(symmetrise(one.geometry(), names, patch) for one in sums)
    return GroupedGeometry(groups, shape[0] if alone else None)


def save_groups(path: Path, identity: str, grouped: GroupedGeometry) -> None:
    """Write the groups, with matrices in float32, and their identity."""
    groups = [geometry_state(group) for group in grouped.rounded().groups]
    torch.save({"groups": groups, "channels": grouped.channels, "identity": identity}, path)


def load_groups(path: Path) -> tuple[str, GroupedGeometry]:
    """Read the identity and the groups of a file, in main memory."""
    found = torch.load(path, map_location="cpu", weights_only=True)
    groups = tuple(Geometry(**state) for state in found["groups"])
    return found["identity"], GroupedGeometry(groups, found["channels"])


def _check_memory(rows: int, d: int, dense: bool) -> None:
    if not dense and 4 * rows * d > FACTOR_BYTES:
        raise ValueError(
            f"{rows} rows of {d} numbers take {4e-9 * rows * d:.1f} GB, the limit is "
            f"{FACTOR_BYTES / 1e9:g}; use models x probes <= {int(FACTOR_BYTES / 4 / d)}"
        )
