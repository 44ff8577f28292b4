"""Where images come from: a reader and its folder, a stand-in, additional images."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from datamodules.errors import DataError
from datamodules.extended import open_reader
from datamodules.reader import Reader
from datamodules.standin import standin_folder

EXTRA_SEED = 1  # of the stand-in for `extra`


@dataclass(frozen=True, kw_only=True)
class Source:
    """The files of a data set."""

    name: str  # of the data set in keys and figures
    reader: Callable[..., Reader]  # makes the reader from its root folder
    cache: Path  # folder of decoded images
    root: str | None = None  # folder of the data set
    split: Literal["group", "image", "official"] = "group"  # must be `official` with `extra`
    # writes a generated data set in this one's format into a folder
    standin: Callable[..., None] | None = None
    use_standin: bool = False  # read generated images instead of `root`
    # a .npz file of additional (generated) training images, `image` and `label`. Its stand-in is
    # another draw of the data set's own
    extra: str | None = None
    extra_only: bool = False  # train on those alone

    @property
    def folder(self) -> Path | None:
        """`root`; None for images without files."""
        return Path(self.root).expanduser() if self.root else None

    @property
    def cache_folder(self) -> Path:
        """`cache`, which a configuration gives as text."""
        return Path(self.cache).expanduser()

    def open(self) -> Reader:
        """The reader of the data set, or of its stand-in, with the additional images."""
        extra: Reader | str | None = self.extra
        if self.extra is not None and self.use_standin:
            extra = self.reader(root=self.standin_root(seed=EXTRA_SEED))
        root = self.standin_root() if self.use_standin else self.folder
        return open_reader(self.reader, root, self.split, extra, self.extra_only)

    def standin_root(self, **changed: int) -> Path:
        """The folder of the generated data set, written if not there yet."""
        if self.standin is None:
            raise DataError(f"standin=true: `{self.name}` has no stand-in; leave standin=false.")
        write = partial(self.standin, **changed) if changed else self.standin
        return standin_folder(self.cache_folder, self.name, write)
