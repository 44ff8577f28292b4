"""The reader of `metrics.csv`: one row per measurement."""

import io
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from records.old_words import OLD_LAYER
from records.reader import read_bytes

LARGEST = 2**30  # bytes
COLUMNS = ("epoch", "step", "name", "value", "images")
NEEDED: tuple[str, ...] = COLUMNS[:4]  # files of earlier versions have no `images`


@dataclass(frozen=True)
class Curves:
    """The measurements of one run, by column."""

    epoch: NDArray[np.int64]
    step: NDArray[np.int64]
    name: NDArray[np.object_]
    value: NDArray[np.float64]
    # number of images that a value was measured on; 0 if it has none, or they are not known
    images: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        if not len(self.images):
            object.__setattr__(self, "images", np.zeros(len(self.name), np.int64))

    def course(self) -> "Curves":
        """The rows of the curves: of every number and epoch, the one on the fewest images.

        So every curve is of the same images throughout. At the end a number may have a second row,
        on all images.
        """
        if not self.images.any():
            return self
        fewest: dict[tuple[int, str], int] = {}
        moments = list(zip(self.epoch.tolist(), self.name.tolist(), strict=True))
        for moment, images in zip(moments, self.images.tolist(), strict=True):
            fewest[moment] = min(images, fewest.get(moment, images))
        if len(fewest) == len(moments):
            return self
        pairs = zip(moments, self.images.tolist(), strict=True)
        kept = np.array([images == fewest[moment] for moment, images in pairs])
        return Curves(*(column[kept] for column in vars(self).values()))

    def last(self) -> dict[str, float]:
        """The last value of every number."""
        return dict(zip(self.name.tolist(), self.value.tolist(), strict=True))


NO_CURVES = Curves(*(np.empty(0, kind) for kind in ("int64", "int64", "object", "float64")))


def read_curves(file: Path) -> Curves:
    """The rows of a `metrics.csv`; none if there is no such file, ValueError if it is another."""
    import pyarrow as pa  # takes 30 ms, and most launches do not need it
    from pyarrow import compute, csv

    try:
        content = read_bytes(file, LARGEST)
    except FileNotFoundError:
        return NO_CURVES
    kinds = dict(zip(NEEDED, (pa.int64(), pa.int64(), pa.string(), pa.float64()), strict=True))
    counted = b"images" in content.partition(b"\n")[0].split(b",")
    kinds |= {"images": pa.int64()} if counted else {}
    try:
        table = csv.read_csv(
            io.BytesIO(content),
            read_options=csv.ReadOptions(use_threads=False),
            convert_options=csv.ConvertOptions(
                column_types=kinds, include_columns=list(kinds), null_values=["nan"]
            ),
        )
    except KeyError:
        raise ValueError(f"lacks a column of {', '.join(NEEDED)}") from None
    epoch, step, value = (table[column].to_numpy() for column in ("epoch", "step", "value"))
    name = compute.replace_substring_regex(table["name"], *OLD_LAYER).to_numpy()
    images = table["images"].to_numpy() if counted else np.zeros(len(epoch), np.int64)
    return Curves(epoch, step, name, value, images)
