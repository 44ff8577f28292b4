"""The rows of `metrics.csv` of a run in progress."""

import math
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from records.quantities import in_order

RUNNING = "train/running_loss"
TIME, TRAINING = "time/", "time/train"  # the latter is logged as a sum over epochs already


class Row(NamedTuple):
    """A row of metrics.csv."""

    epoch: int
    step: int
    name: str
    value: float
    images: int = 0  # that it was measured on; earlier versions did not write it


class MeasuredRows:
    """One row for every number, epoch and number of images; a later one replaces it.

    Numbers are found by name and epoch without a search: a run may have 100,000 epochs.

    >>> rows = MeasuredRows([Row(2, 20, "test/loss", 0.5, 9), Row(1, 10, "test/loss", 0.7, 9)])
    >>> rows.add(Row(2, 20, "test/loss", 0.6, 4))
    >>> [row.value for row in rows], [row.value for row in rows.course()]
    ([0.7, 0.6, 0.5], [0.7, 0.6])
    >>> rows.value("test/loss", 2), rows.scalars(), rows.scalars(selected=1)
    (0.5, {'test/loss': 0.5}, {'test/loss': 0.7})
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._rows: dict[tuple[int, str, int], Row] = {}  # by epoch, name and images
        self._images: dict[str, dict[int, tuple[int, ...]]] = {}  # by name and epoch
        self._counts: dict[str, set[int]] = {}  # by name
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Add a row, or replace that of the same number, epoch and images."""
        self._rows[row.epoch, row.name, row.images] = row
        self._counts.setdefault(row.name, set()).add(row.images)
        epochs = self._images.setdefault(row.name, {})
        counts = epochs.get(row.epoch, ())
        if row.images not in counts:
            epochs[row.epoch] = (*counts, row.images)

    def __iter__(self) -> Iterator[Row]:
        """Sorted by epoch and then by number of images."""
        return iter(sorted(self._rows.values(), key=lambda row: (row.epoch, row.images)))

    @property
    def names(self) -> Collection[str]:
        """The numbers that have a row."""
        return self._images.keys()

    def course(self) -> list[Row]:
        """The rows of the curves: of every number and epoch, the one on the fewest images."""
        return [row for row in self if row.images == min(self._images[row.name][row.epoch])]

    def counts(self, name: str) -> set[int]:
        """On how many images a number was measured, over all epochs."""
        return set(self._counts.get(name, ()))

    def value(self, name: str, epoch: int) -> float | None:
        """The value after this epoch, on the most images; None if it was not measured then."""
        counts = self._images.get(name, {}).get(epoch)
        return self._rows[epoch, name, max(counts)].value if counts else None

    def final(self, name: str, selected: int | None = None) -> float | None:
        """The latest value on the most images, or that after the `selected` epoch if it has one.

        Times are those of the whole run: of a probe the sum over its measurements. None if the
        number was never measured.
        """
        epochs = self._images.get(name)
        if not epochs:
            return None
        if name.startswith(TIME) and name != TRAINING:
            return sum(self._rows[e, name, i].value for e in sorted(epochs) for i in epochs[e])
        if selected is not None and selected in epochs and name != TRAINING:
            return self.value(name, selected)
        return self.value(name, max(epochs))

    def scalars(self, selected: int | None = None) -> dict[str, float | None]:
        """`final` of every number; None for NaN and infinities."""
        found = {name: self.final(name, selected) for name in in_order(self.names)}
        return {
            name: v if v is not None and math.isfinite(v) else None for name, v in found.items()
        }

    @property
    def progress(self) -> tuple[int, int]:
        """Completed epochs and steps: a forked trainer keeps its old counters."""
        moments = [(row.epoch, row.step) for row in self._rows.values() if row.name == RUNNING]
        return max(moments, default=(0, 0))
