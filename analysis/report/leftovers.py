"""What an earlier report left in its folder: figures and tables that the new one does not have."""

import contextlib
import re
from collections.abc import Collection, Iterator
from itertools import product
from pathlib import Path

from analysis.drawing.rendering import ALL_FORMS
from analysis.exhibits import listed, papers
from analysis.printing.table_files import SUFFIXES

# The folder of a chapter; one that a user has named is not touched.
CHAPTER = re.compile(r"(corrected|text|code|unknown)-(default|cpu|gpu|published|unknown)")


def remove_leftovers(out: Path, written: Collection[Path]) -> int:
    """Remove the files of earlier reports that are not among those just written; how many.

    To be called when the new report is whole. Only files with the names that reports use are
    removed, and folders that are then empty.
    """
    chapters = [one for one in out.iterdir() if one.is_dir() and CHAPTER.fullmatch(one.name)]
    left = [
        file
        for folder in (out, *chapters)
        for file in names_in(folder)
        if file.is_file() and file not in written
    ]
    for file in left:
        file.unlink()
        for folder in file.parents[: len(file.relative_to(out).parts) - 1]:
            with contextlib.suppress(OSError):  # it has other files
                folder.rmdir()
    return len(left)


def names_in(folder: Path) -> Iterator[Path]:
    """Every file that a report may write as a figure or table of a chapter.

    >>> Path("out/figures/konz2024/props.png") in names_in(Path("out"))
    True
    """
    endings = {"figures": [f".{form}" for form in ALL_FORMS], "tables": list(SUFFIXES)}
    shared = {"figures": "courses", "tables": "over_seeds"}
    for kind, suffixes in endings.items():
        bases = [f"{paper}/{name}" for paper in papers() for name in listed(paper).get(kind, {})]
        for base, suffix in product([shared[kind], *bases], suffixes):
            yield folder / kind / f"{base}{suffix}"
