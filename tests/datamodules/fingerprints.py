"""The fingerprint of a listing, with nothing remembered from before."""

from pathlib import Path

from datamodules.content import Contents
from datamodules.fingerprint import identify
from datamodules.reader import Listing


def fingerprint(listing: Listing, cache: Path | None = None) -> str:
    identity = identify(listing, lambda: None, 0, Contents(cache, Path("/data")))
    assert identity is not None
    return identity.fingerprint
