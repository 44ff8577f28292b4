"""Results cached as zip archives, torch's file format: computed once, by one process."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from records.atomic import replacing
from records.cache_entry import cached
from records.checkpoints import is_whole

Result = TypeVar("Result")


def cached_archive(
    folder: Path | None,
    identity: dict[str, Any],
    compute: Callable[[], Result],
    load: Callable[[Path], tuple[str, Result]],
    save: Callable[[Path, str, Result], None],
) -> Result:
    """The result of `compute`, cached by identity.

    Args:
        folder: of the cache; None computes every time.
        identity: everything the result depends on, in plain containers.
        compute: returns the result.
        load: reads the identity as text and the result from a file.
        save: writes a file with the identity as text and the result.
    """

    def read(path: Path) -> tuple[str, Result]:
        if path.exists() and not is_whole(path):  # torch does not check the checksums
            raise ValueError("its checksums differ")
        return load(path)

    def write(path: Path, identity: str, result: Result) -> None:
        with replacing(path) as temporary:
            try:
                save(temporary, identity, result)
            except RuntimeError as error:  # torch's error on a full disk
                raise OSError(str(error).splitlines()[0]) from error

    return cached(folder, identity, ".pt", read, compute, write)
