"""Public data sets: found in the usual folders, or downloaded."""

from collections.abc import Iterable
from pathlib import Path

from datamodules.download import DownloadError, Remote, download
from datamodules.errors import DataNotFoundError


def obtain(
    name: str, root: Path, remote: Remote, places: Iterable[Path], allowed: bool, tree: str
) -> Path:
    """The first of `places` that is a file, or else the file downloaded into `root`.

    `allowed` is whether it may be downloaded, `tree` the expected layout for the message.

    Raises:
        DataNotFoundError: it does not exist and cannot be downloaded.
    """
    for place in places:
        if place.is_file():
            return place
    how = f"download {remote.addresses[0]} into {root}"
    if not allowed:
        how += ", or set data.reader.download=true"
        raise DataNotFoundError(name, root, remote.name, how, tree)
    try:
        return download(remote, root)
    except DownloadError as error:
        how += f" by hand; the download failed:\n{error}"
        raise DataNotFoundError(name, root, remote.name, how, tree) from error
