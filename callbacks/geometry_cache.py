"""The cache of G_F for probes: a message before it is estimated, which takes up to a minute."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from metrics.functional.initial_geometry import Cache
from records.cached import cached_archive

log = logging.getLogger(__name__)

R = TypeVar("R")


def geometry_cache(folder: Path | None, probe: str, shape: tuple[int, ...]) -> Cache[Any]:
    """`cached_archive` in a folder, which announces once that it does not find something there."""
    kept = "" if folder is None else ", once for this network and image size (cached)"
    size = " x ".join(map(str, shape))
    texts = [f"{probe}: estimates G_F of untrained networks at {size}{kept} ..."]

    def cache(
        identity: dict[str, Any],
        compute: Callable[[], R],
        load: Callable[[Path], tuple[str, R]],
        save: Callable[[Path, str, R], None],
    ) -> R:
        def announced() -> R:
            if texts:
                log.info("%s", texts.pop())
            return compute()

        return cached_archive(folder, identity, announced, load, save)

    return cache
