"""The files from which the images of a listing are decoded, named relative to the root."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np


class Names(Protocol):
    """File names by number; a list, or listed when they are used (ImageNet)."""

    def __len__(self) -> int: ...

    def __getitem__(self, k: int, /) -> str: ...

    def __iter__(self) -> Iterator[str]: ...


@dataclass(frozen=True)
class Files:
    """File names below a root, and the file and part of each image.

    An absolute path is outside the root; only its last part identifies the file (see `name`).
    """

    root: Path
    names: Names  # each file once
    index: np.ndarray | None = None  # (N,) the file of each image; None: image i is in names[i]
    part: np.ndarray | None = None  # (N,) its slice, frame or side, where a file has several

    @classmethod
    def of(
        cls, root: Path, paths: Iterable[Path | str], part: Sequence[int] | None = None
    ) -> "Files":
        """From the path of every image; a repeated path is a file of several images."""
        number: dict[str, int] = {}
        prefix = f"{root}/"
        index = [number.setdefault(str(path).removeprefix(prefix), len(number)) for path in paths]
        return cls(
            root,
            list(number),
            None if len(number) == len(index) else np.array(index, np.int64),
            None if part is None else np.array(part, np.int64),
        )

    @classmethod
    def archives(cls, paths: Sequence[Path], images: Sequence[int]) -> "Files":
        """From files and the number of images in each."""
        index = np.repeat(np.arange(len(paths)), images)
        starts = np.repeat(np.cumsum([0, *images[:-1]]), images)
        names = [str(path.absolute()) for path in paths]
        return cls(Path("/"), names, index, np.arange(len(index)) - starts)

    def followed_by(self, other: "Files", images: tuple[int, int]) -> "Files":
        """These files and then the others, `images` of each; both keep their names."""
        sides = (self, other)
        index = [side.of_images(np.arange(n)) for side, n in zip(sides, images, strict=True)]
        part = [
            np.zeros(n, np.int64) if side.part is None else side.part
            for side, n in zip(sides, images, strict=True)
        ]
        names = [str((side.root / name).absolute()) for side in sides for name in side.names]
        return Files(
            Path("/"), names, np.append(index[0], index[1] + len(self.names)), np.append(*part)
        )

    def taken(self, images: np.ndarray) -> "Files":
        """The same files with some of the images."""
        index = self.of_images(images)
        return Files(self.root, self.names, index, None if self.part is None else self.part[images])

    def of_images(self, images: np.ndarray) -> np.ndarray:
        """The position in `names` of the files of some images."""
        return images if self.index is None else self.index[images]

    def path(self, k: int) -> Path:
        """Path of file `k`."""
        return self.root / self.names[k]

    def name(self, k: int) -> str:
        """Name of file `k`, independent of where its set is.

        >>> files = Files(Path("/data"), ["cat/1.png", "/elsewhere/2.png"])
        >>> files.name(0), files.name(1)
        ('cat/1.png', '2.png')
        """
        name = self.names[k]
        return name.rpartition("/")[2] if name.startswith("/") else name
