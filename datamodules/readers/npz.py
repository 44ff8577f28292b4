"""One's own arrays: a `.npz` file with images `x`, labels `y` and, if there are any, groups."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from datamodules.errors import BadArchiveError, DataError, DataNotFoundError, reading
from datamodules.files import Files
from datamodules.formats.encoding import decoded
from datamodules.formats.gray_levels import GrayRule
from datamodules.padding import PADDING
from datamodules.reader import Listing
from datamodules.readers.group_names import names_groups
from datamodules.readers.label_notes import label_notes
from datamodules.readers.npz_hints import image_way_out, label_way_out, likely_settings
from datamodules.readers.unused_groups import unused_groups
from records.array_file import ArrayFile, Header, RowReader

MOST_LABELS = 2**28  # bytes; 5 million patients' names of 12 letters
MOST_IMAGE = 2**28  # bytes; a radiograph has 20 million
MOST_WHOLE = 2**30  # bytes of images in an order that cannot be read one by one
SPLIT = ("train_images", "x_train", "X_train", "train_x")  # usual names in files of two splits
JOIN = (
    "This file has arrays of several splits. Of a published set of MedMNIST: data=medmnist "
    "data.flag=<name> data.root=<folder of name.npz>. Else join them: np.savez(file, "
    "x=np.concatenate([train, test]), y=np.concatenate([train_labels, test_labels]), "
    "is_test=[False] * len(train) + [True] * len(test))."
)
REWRITE = "Write it with np.savez(file, x=images, y=labels)."
AS_TEXT = "Write it with np.savez(file, x=images, y=labels.astype(str))."
SIGNED_TYPE = "type: signed integers from their lowest value"  # a rule of `Listing.rules`


@dataclass
class Npz:
    """Images in one NumPy archive."""

    version: ClassVar[int] = 3  # of the reading rules: the cache keeps images of each apart

    root: Path  # the `.npz` file, or a folder with one
    # name of the images, (N, H, W), (N, H, W, C) or (N, C, H, W) with one or three channels
    x: str = "x"
    y: str = "y"  # name of the labels, (N,) integers or text
    # name of the patients, lesions ... (N,), kept apart in splits; None takes the array `group`, if
    # there is one
    group: str | None = None
    # name of the official test set's mask, (N,) booleans; None takes `is_test`, if there is one
    test: str | None = None
    # whether channels come last or first; `auto` looks at the shape
    layout: Literal["auto", "last", "first"] = "auto"
    # how pixels other than uint8 become 0..255: `type`, `max`, `minmax` or `percentile`; `ask`
    # accepts bytes, and whole numbers that are bytes
    scale: Literal["ask", "type", "max", "minmax", "percentile"] = "ask"
    # [centre, width] of the values that become 0..255, of any pixels, instead of `scale`
    window: list[float] | None = None

    def __post_init__(self) -> None:
        self.rule = GrayRule(self.scale, self.window)

    def listing(self) -> Listing:
        """The labels; the images stay in the file until one is read."""
        if self.x not in self._names:
            raise self._mismatch(self.x, None, "")
        y = self._labels
        self._check_count(len(y))
        names, labels = np.unique(y, return_inverse=True)
        group = self._column(self.group, "group", len(y))
        test = self._column(self.test, "is_test", len(y))
        notes = self._notes(names)
        if group is None:
            notes += unused_groups("array", "data.reader.group", self._named_groups(len(y)))
        return Listing(
            labels=labels.astype(np.int64),
            classes=tuple(self._class_names(names)),
            groups=group,
            official_test=None if test is None else test.astype(bool),
            files=Files.archives([self._path], [len(y)]),
            notes=tuple(notes),
            rules=self._rules(),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`."""
        images = self._images
        with self._reading(self.x):
            image = images[i]
        if image.ndim == 3 and self._is_first(self._shape):
            image = image.transpose(1, 2, 0)
        if image.ndim == 3 and image.shape[2] == 1:
            image = image[..., 0]
        if self.window is None and (image.dtype == np.uint8 or self._holds_bytes):
            return np.nan_to_num(image).astype(np.uint8)  # NaN is padding
        return self.rule.levels(image, f"{self._path}: image {i}")

    def nan_pixels(self) -> tuple[int, int]:
        """Numbers of images with NaN and of their NaN pixels."""
        x, images = self._header(self.x), self._images
        if x is None or x.dtype.kind != "f":
            return 0, 0
        with self._reading(self.x):
            found = [int(np.isnan(images[i]).sum()) for i in range(len(self._labels))]
        return sum(count > 0 for count in found), sum(found)

    @cached_property
    def _labels(self) -> np.ndarray:
        """Labels, (N,): one column, as MedMNIST has, and whole numbers as floats are taken too."""
        y = self._array(self.y)
        flat = y[:, 0] if y is not None and y.ndim == 2 and y.shape[1] == 1 else y
        if flat is not None and flat.dtype.kind == "f" and (missing := int(np.isnan(flat).sum())):
            reason = f"its labels `{self.y}` have {missing:,} NaN among {len(flat):,} values."
            raise BadArchiveError(self._path, reason, "Leave these images out, or label them.")
        if flat is not None and flat.dtype.kind == "f" and (flat == np.round(flat)).all():
            flat = flat.astype(np.int64)
        if flat is None or flat.ndim != 1 or flat.dtype.kind not in "iubUS":
            way_out = None if y is None else label_way_out(y)
            raise self._mismatch(self.y, y, "(N,) integers or text", way_out)
        with self._reading(self.y):
            return decoded(flat) if flat.dtype.kind == "S" else flat

    def _column(self, named: str | None, default: str, count: int) -> np.ndarray | None:
        """One value per image; None if none is named and the default does not exist."""
        name = default if named is None else named
        array = self._array(name)
        if (array is None and named is None) or (array is not None and array.shape == (count,)):
            return array
        raise self._mismatch(name, array, f"({count},)")

    def _named_groups(self, count: int) -> Iterator[tuple[str, np.ndarray]]:
        """The arrays with one value per image whose names may be of patients."""
        for name, header in self._headers().items():
            is_free = name not in (self.x, self.y) and header.shape == (count,)
            if is_free and names_groups(name) and (values := self._array(name)) is not None:
                yield name, values

    def _class_names(self, values: np.ndarray) -> list[str]:
        """Names of the integer labels: from the array `classes`, if the file has it."""
        names = self._array("classes")
        if names is None or not self._can_name(names, values):
            return [str(value) for value in values]
        with self._reading("classes"):
            names = decoded(names) if names.dtype.kind == "S" else names
        return [str(names[value]) for value in values]

    def _can_name(self, names: np.ndarray, values: np.ndarray) -> bool:
        """Whether labels are positions in `classes`; a negative one would count from its end."""
        is_number = values.dtype.kind in "iu" and len(values) > 0
        return is_number and values.min() >= 0 and values.max() < len(names)

    def _notes(self, values: np.ndarray) -> list[str]:
        """What was decided about labels and pixels."""
        names = [str(value) for value in values] if values.dtype.kind == "U" else []
        notes, classes, x = list(label_notes(names)), self._array("classes"), self._header(self.x)
        if (
            classes is not None
            and values.dtype.kind in "iu"
            and not self._can_name(classes, values)
        ):
            notes.append(
                f"labels from {values.min()} to {values.max()} are no positions in the "
                f"{len(classes)} names of `classes`, so classes are named by their numbers"
            )
        if x is not None and x.dtype == np.uint8 and self.window is None and self.scale != "ask":
            notes.append(
                f"`{self.x}` is uint8, which data.reader.scale={self.scale} keeps as it is"
            )
        if self._holds_bytes:
            notes.append(
                f"`{self.x}` is {x and x.dtype} with whole numbers of 0..255: read as bytes"
            )
        return notes

    def _rules(self) -> tuple[str, ...]:
        """Rules that are newer than the first keys of runs."""
        x = self._header(self.x)
        kind = "" if x is None else x.dtype.kind
        is_signed = kind == "i" and self.scale == "type" and not self.window
        is_padded = kind == "f" and (self.scale != "ask" or self.window is not None)
        found = {SIGNED_TYPE: is_signed, PADDING: is_padded}
        return tuple(rule for rule, applies in found.items() if applies)

    @cached_property
    def _holds_bytes(self) -> bool:
        """Whether an array of another type has whole numbers of 0..255 only, with one above 1.

        All images are read for that, until one has another number: one rule for all of them.
        """
        x = self._header(self.x)
        if self.scale != "ask" or self.window or x is None or x.dtype.kind not in "iuf":
            return False
        if x.dtype == np.uint8:
            return False
        images, top = self._images, 0.0
        with self._reading(self.x):
            for i in range(x.shape[0]):
                image = images[i]
                image = image[~np.isnan(image)]
                if not image.size:
                    continue
                low, high = float(image.min()), float(image.max())
                if not (low >= 0 and high <= 255 and (image == np.floor(image)).all()):
                    return False
                top = max(top, high)
        return top > 1

    @cached_property
    def _images(self) -> RowReader | np.ndarray:
        """One image at a time: an archive may be larger than the memory."""
        x, count = self._header(self.x), len(self._labels)
        wanted = f"(N, H, W) or (N, H, W, 3), N = {count}"
        if x is None or len(x.shape) not in (3, 4) or x.dtype.kind not in "iufb":
            raise self._mismatch(self.x, x, wanted)
        is_colour = len(x.shape) == 4
        channels = x.shape[1 if self._is_first(x.shape) else 3] if is_colour else 1
        if x.shape[0] != count or channels not in (1, 3) or 0 in x.shape:
            raise self._mismatch(self.x, x, wanted, image_way_out(x.shape))
        self._shape = x.shape
        with self._reading(self.x):
            if x.is_fortran:
                return self._file.read(self.x, MOST_WHOLE)
            return RowReader(self._file, self.x, MOST_IMAGE)

    def _is_first(self, shape: tuple[int, ...]) -> bool:
        if self.layout != "auto":
            return self.layout == "first"
        return len(shape) == 4 and shape[3] not in (1, 3)

    def _check_count(self, labels: int) -> None:
        """As many images as labels: else every label could be another image's."""
        x = self._header(self.x)
        if x is not None and x.shape and x.shape[0] != labels:
            reason = f"`{self.x}` has {x.shape[0]:,} images and `{self.y}` {labels:,} labels."
            raise BadArchiveError(self._path, reason, "Write as many labels as images.")

    def _mismatch(
        self, name: str, array: np.ndarray | Header | None, wanted: str, way_out: str | None = None
    ) -> BadArchiveError:
        if array is None:
            has = f"it has {', '.join(self._names) or 'none'}"
            if any(other in self._names for other in SPLIT):
                return BadArchiveError(self._path, f"has no array `{name}` ({has}).", JOIN)
            likely = likely_settings(self._headers(), name, self.x, self.y)
            reason = f"has no array `{name}` ({has}){likely}."
        else:
            reason = f"its array `{name}` is {array.dtype} {array.shape}, not {wanted}."
        return BadArchiveError(self._path, reason, way_out or REWRITE)

    def _headers(self) -> dict[str, Header]:
        """Every array but those of objects, which can be neither images nor labels."""
        found = {}
        for name in self._names:
            with suppress(BadArchiveError):
                if (header := self._header(name)) is not None:
                    found[name] = header
        return found

    @cached_property
    def _names(self) -> tuple[str, ...]:
        with reading(self._path, "is not a .npz file", REWRITE, kind=BadArchiveError):
            return self._file.names

    def _header(self, name: str) -> Header | None:
        if name not in self._names:
            return None
        with self._reading(name):
            return self._file.header(name)

    def _array(self, name: str) -> np.ndarray | None:
        if name not in self._names:
            return None
        with self._reading(name):
            return self._file.read(name, MOST_LABELS)

    def _reading(self, name: str) -> AbstractContextManager[None]:
        way_out = AS_TEXT if name == self.y else REWRITE
        return reading(self._path, f"`{name}` cannot be read", way_out, kind=BadArchiveError)

    @cached_property
    def _file(self) -> ArrayFile:
        return ArrayFile(self._path)

    @cached_property
    def _path(self) -> Path:
        if self.root.is_dir():
            found = sorted(self.root.glob("*.npz"))
            if len(found) > 1:
                names = ", ".join(path.name for path in found)
                raise DataError(f"{self.root} holds {names}; set data.root to one of them.")
            if found:
                return found[0]
        elif self.root.is_file():
            return self.root
        how = "np.savez('mine.npz', x=images, y=labels), then data.root=mine.npz"
        raise DataNotFoundError("npz", self.root, "a .npz file", how, standin=False)
