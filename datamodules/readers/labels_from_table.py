"""Labels of a user's own images from a csv or Excel table of path, label and group."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from datamodules.errors import DataError
from datamodules.formats.encoding import encoding_by_mark
from datamodules.formats.tables import encoding_note, read_table
from datamodules.readers.folder_item import Item, Labelled, group_in_path
from records.counted import counted

LONGEST_LINE = 10_000  # characters of a csv's column names
GROUP = "group"  # the default column of groups that stay together


@dataclass(frozen=True)
class LabelTable:
    """Names of a table's columns; see `ImageFolder`."""

    path: str
    label: str
    group: str | None  # None: `group`, if the table has it
    group_pattern: str | None

    def items(self, root: Path, name: str) -> Labelled:
        """Every row with a label, in order, and notes on the others."""
        file = root / Path(name).expanduser()
        named = [] if self.group is None else [self.group]
        table = read_table(
            file,
            (self.path, self.label, *named),
            separator=None,
            optional=() if named else (GROUP,),
            way_out="Name them: data.reader.path_column=... data.reader.label_column=... "
            "data.reader.group_column=...",
        )
        items: dict[str, Item] = {}
        blank = repeated = 0
        columns = (self.path, self.label, *(named or [GROUP]))
        rows = zip(*(table[column].map(_or_blank) for column in columns), strict=True)
        for row, (written, label, group) in enumerate(rows, start=2):  # row 1 has the names
            path, where = _normal(written), f"{file}, row {row}"
            if not path or not label:
                blank += 1
            elif path not in items:
                own = group or group_in_path(self.group_pattern, Path(path))
                items[path] = Item(root / path, label, own or None, where)
            elif items[path].label == label:
                repeated += 1
            else:
                raise _contradiction(where, written, label, items[path])
        _check_any_exists(file, root, items)
        odd = {"blank": blank, "repeated": repeated}
        notes = [counted(number, f"{kind} row") for kind, number in odd.items() if number]
        notes = [*encoding_note(file), *notes, *_equal_numbers(items)]
        return Labelled(list(items.values()), tuple(notes))

    def unused(self, root: Path) -> tuple[str, ...]:
        """Notes on csv files in the root that have these columns."""
        return tuple(
            f"{file.name} looks like a table of labels: data.reader.labels={file.name} uses it"
            for file in sorted(root.glob("*.csv"))
            if {self.path, self.label} <= _columns(file)
        )


def _or_blank(text: str) -> str:
    """'' for the `nan` that pandas and R write for a missing value."""
    return "" if text.lower() == "nan" else text


def _normal(path: str) -> str:
    r"""One spelling of a path, so that no image is two.

    >>> _normal("./x//0.png"), _normal("x\\0.png"), _normal("")
    ('x/0.png', 'x/0.png', '')
    """
    return os.path.normpath(path.replace("\\", "/")) if path else ""


def _check_any_exists(file: Path, root: Path, items: dict[str, Item]) -> None:
    """Raise DataError if no path of the table exists: then they are relative to another folder."""
    if items and not any(item.path.is_file() for item in items.values()):
        paths = counted(len(items), "path")
        raise DataError(
            f"{file}: of its {paths} none is a file below {root}, such as {next(iter(items))}; "
            "paths are relative to data.root."
        )


def _contradiction(where: str, path: str, label: str, first: Item) -> DataError:
    return DataError(
        f"{where}: {path} is labelled `{label}`, but `{first.label}` in {first.where}; "
        "remove one of the two rows."
    )


def _equal_numbers(items: dict[str, Item]) -> list[str]:
    """A note on labels that are spelled differently and equal as numbers, `1` and `1.0`."""
    spelled: dict[float, list[str]] = {}
    for label in sorted({item.label for item in items.values()}):
        if re.fullmatch(r"[-+]?\d+(\.\d*)?", label):
            spelled.setdefault(float(label), []).append(label)
    return [
        f"the labels {' and '.join(f'`{label}`' for label in same)} are equal as numbers, but are "
        f"{len(same)} classes here; spell them alike to join them"
        for same in spelled.values()
        if len(same) > 1
    ]


def _columns(table: Path) -> set[str]:
    """Names in the first line of a csv; none where it cannot be read."""
    try:
        # the names that are looked for are ASCII, the same in every encoding but UTF-16
        encoding = encoding_by_mark(table) or "utf-8"
        with table.open(encoding=encoding, errors="replace") as lines:
            first = lines.readline(LONGEST_LINE)
    except OSError:
        return set()
    return {name.strip().strip('"') for name in re.split("[,;\t]", first)}
