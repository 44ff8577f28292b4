"""One's own arrays: a `.npz` file with images `x`, labels `y` and, if there are any, groups."""

from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from datamodules.errors import BadArchiveError, DataError, DataNotFoundError, reading
from datamodules.formats.gray_levels import Scale, gray_levels
from datamodules.identity import digest, stamp
from datamodules.reader import Listing

MEND = "Write it with np.savez(file, x=images, y=labels)."


class Npz:
    """Images in one NumPy archive.

    Args:
        root: the `.npz` file, or a folder with one.
        x: name of the images, (N, H, W), (N, H, W, C) or (N, C, H, W) with one or three channels.
        y: name of the labels, (N,) integers or text.
        group: name of the patients, lesions ... (N,), kept apart in splits; used if it is there.
        test: name of the official test set's mask, (N,) booleans; used if it is there.
        layout: whether channels come last or first; `auto` looks at the shape.
        scale: how pixels other than uint8 become 0..255: `type`, `max` or `minmax`.
    """

    def __init__(
        self,
        root: Path,
        x: str = "x",
        y: str = "y",
        group: str = "group",
        test: str = "is_test",
        layout: Literal["auto", "last", "first"] = "auto",
        scale: Literal["ask", "type", "max", "minmax"] = "ask",
    ) -> None:
        self.root = Path(root)
        self.x, self.y, self.group, self.test = x, y, group, test
        self.layout = layout
        self.scale: Scale = scale

    def listing(self) -> Listing:
        """The labels; the images stay in the file until one is read."""
        y = self._array(self.y)
        if y is None or y.ndim != 1 or y.dtype.kind not in "iubUS":
            raise BadArchiveError(self._path, self._said(self.y, y, "(N,) integers or text"), MEND)
        names, labels = np.unique(y, return_inverse=True)
        group, test = self._array(self.group), self._array(self.test)
        for name, array in ((self.group, group), (self.test, test)):
            if array is not None and array.shape != y.shape:
                raise BadArchiveError(self._path, self._said(name, array, f"({len(y)},)"), MEND)
        return Listing(
            labels=labels.astype(np.int64),
            classes=tuple(self._class_names(names)),
            groups=group,
            official_test=None if test is None else test.astype(bool),
            fingerprint=digest(stamp(self._path)),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`."""
        image = self._images[i]
        if image.ndim == 3 and self._first:
            image = image.transpose(1, 2, 0)
        if image.ndim == 3 and image.shape[2] == 1:
            image = image[..., 0]
        return gray_levels(image, self.scale, f"{self._path}: image {i}")

    def _class_names(self, values: np.ndarray) -> list[str]:
        """`classes` names the integer labels where the file has it."""
        names = self._array("classes")
        if names is None or values.dtype.kind not in "iu" or values.max() >= len(names):
            return [str(value) for value in values]
        return [str(names[value]) for value in values]

    @cached_property
    def _images(self) -> np.ndarray:
        x, y = self._array(self.x), self._array(self.y)
        shape = "(N, H, W) or (N, H, W, 3)"
        if x is None or x.ndim not in (3, 4) or x.dtype.kind not in "iufb" or len(x) != len(y):
            raise BadArchiveError(self._path, self._said(self.x, x, f"{shape}, N = {len(y)}"), MEND)
        if x.ndim == 4 and x.shape[1 if self._is_first(x.shape) else 3] not in (1, 3):
            raise BadArchiveError(self._path, self._said(self.x, x, shape), MEND)
        return x

    @property
    def _first(self) -> bool:
        return self._is_first(self._images.shape)

    def _is_first(self, shape: tuple[int, ...]) -> bool:
        if self.layout != "auto":
            return self.layout == "first"
        return len(shape) == 4 and shape[3] not in (1, 3)

    def _said(self, name: str, array: np.ndarray | None, wanted: str) -> str:
        if array is None:
            return f"has no array `{name}`; there are {', '.join(self._names)}."
        return f"its array `{name}` is {array.dtype} {array.shape}, not {wanted}."

    @cached_property
    def _names(self) -> list[str]:
        with self._open() as file:
            return list(file.files)

    def _array(self, name: str) -> np.ndarray | None:
        if name not in self._names:
            return None
        with (
            reading(self._path, f"`{name}` cannot be read", MEND, kind=BadArchiveError),
            self._open() as file,
        ):
            return file[name]  # object arrays are pickles, and refused

    def _open(self) -> np.lib.npyio.NpzFile:
        with reading(self._path, "is no .npz file", MEND, kind=BadArchiveError):
            file = np.load(self._path, allow_pickle=False)
        if not isinstance(file, np.lib.npyio.NpzFile):
            raise BadArchiveError(self._path, "is a single array, no .npz file.", MEND)
        return file

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
