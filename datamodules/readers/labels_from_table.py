"""Labels of a user's own images from a csv or Excel table of path, label and group."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from datamodules.errors import BadFileError, DataError
from datamodules.formats.encoding import encoding_by_mark
from datamodules.formats.tables import MOST_NAMED, encoding_note, take_columns, whole_table
from datamodules.readers.folder_item import Item, Labelled
from datamodules.readers.group_names import names_groups
from datamodules.readers.image_paths import ImagePaths, is_file, normal
from datamodules.readers.measured_labels import check_are_classes
from datamodules.readers.missing_columns import missing_columns
from datamodules.readers.one_hot import labels_of_one_hot
from datamodules.readers.parts import are_parts, how_split, is_test
from datamodules.readers.path_patterns import group_in_path, is_left_out, note_on_left_out
from datamodules.readers.setting import setting
from datamodules.readers.tables_below import tables_in
from datamodules.readers.unused_groups import unused_groups
from records.counted import counted
from records.first_of import first_of

LONGEST_LINE = 10_000  # characters of a csv's column names
GROUP = "group"  # the default column of groups that stay together
ONE_HOT = "one hot"  # the column of labels that are columns in the file
SPLIT = "split"  # a column of this name with parts such as `train` and `test` is the official split

Row = tuple[str, str, str, str, str]  # path, as it is written, label, group, part


@dataclass(frozen=True)
class LabelTable:
    """Names of a table's columns; see `ImageFolder`."""

    path: str
    label: str | list[str]  # several: the class is the column that has the 1
    group: str | None  # None: `group`, if the table has it
    group_pattern: str | None

    @property
    def _labels(self) -> list[str]:
        return [self.label] if isinstance(self.label, str) else self.label

    def items(self, root: Path, table_name: str, leave_out: str | None = None) -> Labelled:
        """Every row with a label, in order, and notes on the others."""
        file = root / Path(table_name).expanduser()
        whole, table = self._read(root, file)
        paths = ImagePaths(root, leave_out)
        items: dict[str, Item] = {}
        odd = {"blank": 0, "repeated": 0, "left-out": 0}  # rows
        unlabelled = []
        parts: set[str] = set()  # of the images that have a label
        written, *others = (table[column].map(_or_blank) for column in table)
        found = paths.find_all(written)
        rows = zip(found, written, *others, strict=True)
        for row, (path, name, label, group, part) in self._by_image(paths, rows):
            where = f"{file}, row {row}"
            if is_left_out(leave_out, path):
                odd["left-out"] += 1
            elif not path or not label:
                odd["blank"] += 1
                unlabelled.append(root / path)
            elif path not in items:
                own = group or group_in_path(self.group_pattern, path)
                items[path] = Item(root / path, label, own or None, where, is_test=is_test(part))
                parts.add(part)
            elif items[path].label == label:
                odd["repeated"] += 1
            else:
                raise _contradiction(where, name, label, items[path])
        warnings = _check_any_exists(file, paths, items)
        check_are_classes(file, ", ".join(self._labels), [item.label for item in items.values()])
        notes = [counted(number, f"{kind} row") for kind, number in odd.items() if number]
        notes += [
            *note_on_left_out(leave_out, paths.without or odd["left-out"], root),
            *_note_on_folders(written, found),
            *_note_on_rows_of_folders(paths, found),
            *_without_group(items),
            *_not_listed(file, paths, [*unlabelled, *(item.path for item in items.values())]),
            *_note_on_parts(sorted(parts - {""})),
        ]
        if all(item.group is None for item in items.values()):
            notes += self._unused_groups(whole)
        return Labelled(list(items.values()), (*encoding_note(file), *notes), warnings)

    def _by_image(self, paths: ImagePaths, rows: Iterable[Row]) -> Iterator[tuple[int, Row]]:
        """Rows with their number; of a row that names a folder, one for each image in it."""
        for number, (path, name, label, group, part) in enumerate(rows, start=2):  # 1 has the names
            inner = paths.images_in(path)
            own = group or (path if inner and self.group_pattern is None else "")
            for image in inner or [path]:
                yield number, (image, name, label, own, part)

    def _unused_groups(self, whole: pd.DataFrame) -> list[str]:
        """A note on a column that may be of patients."""
        used = [name.lower() for name in (self.path, *self._labels)]
        free = ((name, own) for name, own in whole.items() if name.lower() not in used)
        named = ((name, own) for name, own in free if names_groups(name))
        return unused_groups("column", "data.reader.group_column", named)

    def _read(self, root: Path, file: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The whole table; and its paths, labels, groups and parts, '' where it has none."""
        if not file.is_file():
            found = [one.name for one in tables_in(root)]
            has = f" ({', '.join(found[:MOST_NAMED])})" if found else ""
            raise BadFileError(
                file, "does not exist.", f"Name a table in {root}{has}, or its path."
            )
        self._check_columns_differ()
        named = [] if self.group is None else [self.group]
        whole = whole_table(file, separator=None, way_out="Save it as csv or xlsx.")
        lower = {name.lower() for name in whole}
        if not {name.lower() for name in (self.path, *self._labels)} <= lower:
            has_group = self.group is not None or GROUP in lower
            raise missing_columns(file, root, whole, (self.path, *self._labels), has_group)
        table = take_columns(
            file,
            whole,
            (self.path, *self._labels, *named),
            optional=(*(() if named else (GROUP,)), SPLIT),
            way_out="Name it: data.reader.group_column=...",
        )
        if not isinstance(self.label, str):
            labels = labels_of_one_hot(file, table[self._labels])
            table = table.drop(columns=self._labels)
            table.insert(1, ONE_HOT, labels)
        if SPLIT in (*self._labels, self.group) or not are_parts(set(table[SPLIT]) - {""}):
            table[SPLIT] = ""
        return whole, table

    def _check_columns_differ(self) -> None:
        """Raise if one column is given for two parts."""
        parts = [("path", self.path), *(("label", name) for name in self._labels)]
        parts += [] if self.group is None else [("group", self.group)]
        first: dict[str, str] = {}
        for part, name in parts:
            if (before := first.setdefault(name.lower(), part)) != part:
                raise DataError(
                    f"data.reader.{part}_column={name}: this column is also that of the {before}s; "
                    f"name another column"
                    + ("." if part == "label" else ", or leave this setting out.")
                )

    def unused(self, root: Path) -> tuple[str, ...]:
        """Notes on csv files in the root that have these columns."""
        ways = {file: setting("data.reader.labels", file.name) for file in tables_in(root)}
        return tuple(
            f"{file.name} looks like a table of labels: {way} uses it"
            for file, way in ways.items()
            if file.suffix == ".csv" and {self.path, *self._labels} <= _columns(file)
        )


def _note_on_parts(parts: list[str]) -> list[str]:
    """What was done with a column that says which image is in the training or test set."""
    if len(parts) < 2:
        return []
    return [f"the column `{SPLIT}` has the parts {', '.join(parts)}: {how_split(parts)}"]


def _note_on_rows_of_folders(paths: ImagePaths, found: Iterable[str]) -> list[str]:
    """What is done with rows that name a folder."""
    count = sum(bool(paths.images_in(path)) for path in found)
    if not count:
        return []
    rows = f"{counted(count, 'row')} {'names a folder' if count == 1 else 'name folders'}"
    return [f"{rows}: the images in a folder have its label and are one group"]


def _note_on_folders(written: Iterable[str], found: Iterable[str]) -> list[str]:
    """In which folders images were found that the table names without a folder."""
    pairs = zip(map(normal, written), found, strict=True)
    parents = {path.rpartition("/")[0] for name, path in pairs if "/" not in name}
    inner = sorted(parents - {""})
    if not inner:
        return []
    return [f"images are named without their folder: found in {first_of(inner)}"]


def _or_blank(text: str) -> str:
    """'' for the `nan` that pandas and R write for a missing value."""
    return "" if text.lower() == "nan" else text


def _check_any_exists(file: Path, paths: ImagePaths, items: dict[str, Item]) -> tuple[str, ...]:
    """A warning on missing files; DataError if no path exists: then the root is another folder."""
    missing = [path for path, item in items.items() if not is_file(item.path)]
    number = counted(len(items), "path")
    if missing and len(missing) == len(items):
        advice = paths.advice(missing[0], file)
        raise DataError(
            f"{file}: of its {number} none is a file below {paths.root}, such as {missing[0]}; "
            f"paths are relative to data.root{'; ' * bool(advice)}{advice}."
        )
    if not missing:
        return ()
    are = "is" if len(missing) == 1 else "are"
    files = counted(len(missing), "file")
    return (f"of the {number} in {file.name}, {files} {are} missing ({first_of(missing)})",)


def _not_listed(file: Path, paths: ImagePaths, listed: Iterable[Path]) -> list[str]:
    """A note on images below the root that are in no row."""
    known = {str(path.absolute()) for path in listed}
    count = sum(str((paths.root / image).absolute()) not in known for image in paths.images)
    are = "is" if count == 1 else "are"
    return [f"{counted(count, 'image')} below the root {are} not in {file.name}"] if count else []


def _without_group(items: dict[str, Item]) -> list[str]:
    """A note on images without a group where others have one."""
    count = sum(item.group is None for item in items.values())
    if count in (0, len(items)):
        return []
    return [f"{counted(count, 'row')} without a group: each such image is its own group"]


def _contradiction(where: str, path: str, label: str, first: Item) -> DataError:
    return DataError(
        f"{where}: {path} is labelled `{label}`, but `{first.label}` in {first.where}; remove one "
        "of the two rows, or, if an image has several findings, write a table of one row per image "
        "with a column of 0 and 1 for each finding."
    )


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
