"""The reader of a data set, with additional training images if configured."""

from collections.abc import Callable
from pathlib import Path

from datamodules.errors import DataError
from datamodules.extended import Extended
from datamodules.reader import Reader
from datamodules.readers.npz import Npz


def open_reader(
    make: Callable[..., Reader],
    root: Path | None,
    split: str,
    extra: Reader | str | None = None,
    extra_only: bool = False,
) -> Reader:
    """Read `root`, and after it `extra`.

    Args:
        make: makes the reader from its root folder.
        root: folder of the data set; None for images without files.
        split: must be `official` with `extra`.
        extra: a .npz file of additional training images, or a reader of them.
        extra_only: train on those alone.
    """
    own = make(root=root)
    if extra is None:
        return own
    if split != "official":
        raise DataError(f"data.extra with data.split={split}: set data.split=official.")
    if isinstance(extra, str):
        extra = Npz(Path(extra).expanduser(), x="image", y="label")
    return Extended(own, extra, extra_only)
