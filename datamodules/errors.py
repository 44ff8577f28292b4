"""Errors that name what was looked for, where, and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from records.regular_file import check_regular


class DataError(Exception):
    """Bad or missing data; the message is for users, and no traceback is shown."""

    is_bad_data = True  # lets a record distinguish it from a bug without importing this package


class TooFewImagesError(DataError):
    """More training images were requested than there are."""


class DeepPixelsError(DataError):
    """An image of other than 8-bit pixels, for which no rule was chosen."""

    def __init__(
        self, message: str, name: object, kind: str, ends: tuple[float, float], takes_type: bool
    ) -> None:
        super().__init__(message)
        self.name, self.kind, self.takes_type = name, kind, takes_type
        self.low, self.high = ends


AGAIN = "Delete it and run the same command again: it will be downloaded again."
SKIP = "Replace the file, or skip such files with data.on_bad_file=skip."


class BadFileError(DataError):
    """A file, or a slice or row of one, that cannot be used; `data.on_bad_file=skip` skips it."""

    def __init__(self, file: Path | str, reason: str, way_out: str = SKIP) -> None:
        super().__init__(f"{file}: {reason} {way_out}")
        self.file = file
        # without the file's name and the default advice, for lists of skipped files
        self.reason = reason if way_out == SKIP else f"{reason} {way_out}"


class BadArchiveError(BadFileError):
    """A file with all images of a set: none can be read, so `skip` does not help."""

    def __init__(self, file: Path | str, reason: str, way_out: str = AGAIN) -> None:
        super().__init__(file, reason, way_out)


@contextmanager
def reading(
    file: Path | str, what: str, *way_out: str, kind: type[BadFileError] = BadFileError
) -> Iterator[None]:
    """Turn whatever a library raises while it reads this file into a `BadFileError`.

    Libraries raise index, struct, Unicode, zlib, recursion and memory errors on damaged files, and
    no list of them stays complete. A pipe or device is rejected before it is opened. `what` is the
    problem, as a predicate: "is not a complete .mat file"; `way_out` what to do, if not the default
    of the error's class.
    """
    try:
        check_regular(Path(file))
        yield
    except DataError:
        raise
    except FileNotFoundError as error:
        raise kind(file, "does not exist.", *way_out) from error
    except Exception as error:
        first = (str(error).splitlines() or [""])[0].replace(f" {str(file)!r}", "")[:200]
        raise kind(file, f"{what} ({first or type(error).__name__}).", *way_out) from error


class DataNotFoundError(DataError):
    """The data set `name` was not found in the folder `root`.

    The message says what was looked for, how to get it (registration, licence, address), the
    expected `tree`, and whether generated images can replace it; one's own cannot be replaced.
    """

    def __init__(
        self,
        name: str,
        root: Path,
        looked_for: str,
        how_to_get: str,
        tree: str = "",
        standin: bool = True,
    ) -> None:
        lines = [
            f"`{name}` was not found: looked for {looked_for} in {root}.",
            f"To get it: {how_to_get}",
        ]
        if tree:
            lines += ["Expected:", *(f"    {line}" for line in tree.strip().splitlines())]
        lines.append("Elsewhere on this machine? Set data.root=<folder>.")
        if standin:
            lines.append("Without it: standin=true runs the same pipeline on generated images.")
        super().__init__("\n".join(lines))
