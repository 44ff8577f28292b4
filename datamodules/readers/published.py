"""Public data sets: found in the usual folders, or downloaded."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from datamodules.download import DownloadError, Remote, download
from datamodules.errors import DataError, DataNotFoundError


@dataclass
class Published:
    """A data set whose publishers split it into training and test images."""

    NAME: ClassVar[str]
    root: Path  # folder of its files, in their usual layout
    # `train`: the official training images alone, from which test images are drawn, as the papers
    # do; `all`: the official test images too, for `data.split=official`
    part: Literal["train", "all"] = "train"
    download: bool = True  # download missing files

    def obtain(self, remote: Remote, tree: str, places: Iterable[Path] = ()) -> Path:
        """The file in `root` or the first of `places` that has it; else it is downloaded to `root`.

        If it cannot be downloaded, a DataNotFoundError shows the expected layout `tree`.
        """
        if self.root.is_file():
            raise DataError(
                f"data.root={self.root} is a file; set data.root={self.root.parent}, the folder of "
                f"{remote.name}."
            )
        for place in (self.root / remote.name, *places):
            if place.is_file():
                return place
        how = f"download {remote.addresses[0]} into {self.root}"
        if not self.download:
            how += ", or set data.reader.download=true"
            raise DataNotFoundError(self.NAME, self.root, remote.name, how, tree)
        try:
            return download(remote, self.root)
        except DownloadError as error:
            how += f" by hand; the download failed:\n{error}"
            raise DataNotFoundError(self.NAME, self.root, remote.name, how, tree) from error
