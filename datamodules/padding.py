"""How many pixels of a set are NaN: padding, which is read as black."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from records.cached import cached_json
from records.counted import counted

PADDING = "NaN is padding"  # a rule of `Listing.rules`, of sets whose pixels can be NaN


def padding_notes(
    cache: Path, fingerprint: str | None, count: Callable[[], tuple[int, int]]
) -> tuple[str, ...]:
    """A note with the number of NaN pixels; they are counted once for every content of a set.

    `count` returns the numbers of files or images with NaN and of their NaN pixels.

    >>> padding_notes(Path("/nowhere"), None, lambda: (1, 3))
    ('3 NaN pixels in 1 image or volume: padding, read as black',)
    """

    def compute() -> dict[str, Any]:
        return dict(zip(("images", "pixels"), count(), strict=True))

    folder = None if fingerprint is None else cache / "padding"
    found = cached_json(folder, {"padding of": fingerprint}, compute)
    if not found["pixels"]:
        return ()
    where = counted(found["images"], "image or volume", "images or volumes")
    return (f"{counted(found['pixels'], 'NaN pixel')} in {where}: padding, read as black",)
