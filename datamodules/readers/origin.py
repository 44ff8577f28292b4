"""Where a data set comes from, and its files found or reported as missing."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from datamodules.errors import DataNotFoundError
from datamodules.formats.locate import find


@dataclass(frozen=True)
class Origin:
    """How to get a data set that is not downloaded by itself, and its layout on disk."""

    name: str
    how_to_get: str  # address, registration, licence, size
    tree: str

    def missing(self, root: Path, looked_for: str) -> DataNotFoundError:
        """The error for a set without the files that were looked for."""
        return DataNotFoundError(self.name, root, looked_for, self.how_to_get, self.tree)

    def find(
        self, root: Path, wanted: Callable[[str], bool] | str, called: str | None = None
    ) -> Path:
        """What `formats.locate.find` finds, or the error, in which it is `called` so."""
        found = find(root, wanted)
        if found is None:
            raise self.missing(root, called or f"`{wanted}`")
        return found
