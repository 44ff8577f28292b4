"""Tables of labels in a root and in the folders in it, as settings to copy."""

from pathlib import Path

from datamodules.formats.locate import folders
from datamodules.readers.setting import setting
from records.first_of import first_of

TABLES = (".csv", ".tsv", ".txt", ".xlsx")
NAMED = 4  # tables that a message names
NO_TABLES = ("readme", "license", "licence", "requirements", "cc-by")  # how other texts begin


def tables_in(root: Path) -> list[Path]:
    """Files directly in the root that may be tables of labels."""
    return sorted(
        one
        for one in root.iterdir()
        if one.suffix.lower() in TABLES and not one.name.startswith(".")
    )


def tables_below(root: Path) -> str:
    """The settings that use the tables in the root, or else in its folders; '' without any."""
    at_top = [path for path in tables_in(root) if _may_be(path)]
    inner = [
        folder / name
        for folder, _, names in folders(root, depth=2)
        for name in names
        if (folder / name).suffix.lower() in TABLES and _may_be(folder / name)
    ]
    found = [path.relative_to(root).as_posix() for path in at_top or inner]
    return first_of((setting("data.reader.labels", name) for name in found), NAMED)


def _may_be(path: Path) -> bool:
    return not path.name.lower().startswith(NO_TABLES)
