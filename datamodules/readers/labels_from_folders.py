"""Labels of a user's own images from the names of their folders."""

from pathlib import Path

from datamodules.errors import DataError
from datamodules.readers.folder_item import PICTURES, Item, Labelled
from datamodules.readers.folder_notes import inner_folders
from datamodules.readers.folders_in_tables import folders_in_tables
from datamodules.readers.found_images import found_images
from datamodules.readers.left_out import left_out
from datamodules.readers.mask_files import check_no_masks
from datamodules.readers.no_classes import check_are_no_pieces
from datamodules.readers.parts import are_parts, how_split, is_test
from datamodules.readers.path_patterns import group_in_path
from datamodules.readers.setting import setting
from datamodules.readers.tables_below import tables_below
from records.counted import counted


def labels_from_folders(root: Path, group_pattern: str | None, without: str | None) -> Labelled:
    """Every image below a class folder, `{class}/` or `{train,val,test}/{class}/`, with notes."""
    found = found_images(root, without)
    parts = _parts(root, found.images)
    level = 1 if parts else 0  # of the folder that names the class
    named = [path for path in found.images if len(path.parts) >= level + 2]
    check_no_masks(root, found.images, level)
    if named:
        check_are_no_pieces(root, named, level)
    items = []
    for path in named:
        group = group_in_path(group_pattern, path.as_posix())
        tested = bool(parts) and is_test(path.parts[0])
        file = root / path
        items.append(Item(file, path.parts[level], group, str(file), is_test=tested))
    outside = len(found.at_top) + len(found.images) - len(named)
    at_top = (f"{counted(outside, 'file')} outside class folders left out",) if outside else ()
    on_others, warnings = left_out(found.others, len(items))
    notes = (*found.notes, *at_top, *on_others, *_notes_on_parts(parts))
    notes = (*notes, *_empty_classes(root, parts, items))
    if group_pattern is None:
        on_folders, swapped = inner_folders(named, level)
        warnings = (*warnings, *swapped)
        if all(item.has_type(PICTURES) for item in items):  # others have headers
            notes = (*notes, *on_folders)
    warnings = (*warnings, *folders_in_tables(root, {item.label for item in items}))
    return Labelled(items, notes, warnings)


def _parts(root: Path, found: list[Path]) -> list[str]:
    """The folders below the root if all of them are parts of a set that is already split."""
    first = sorted({path.parts[0] for path in found})
    if not are_parts(first):
        return []
    if all(len(path.parts) < 3 for path in found):
        raise DataError(
            f"{root}: {', '.join(first)} {'is a part' if len(first) == 1 else 'are parts'} of a "
            "split set, not classes, and no folder in there names a class. Expected: "
            f"<root>/{first[0]}/<class>/1.png; or give the labels in a table: "
            f"{tables_below(root) or setting('data.reader.labels', 'labels.csv')}."
        )
    return first


def _notes_on_parts(parts: list[str]) -> list[str]:
    """What was done with folders `train`, `val` and `test`."""
    if not parts:
        return []
    names = ", ".join(parts)
    return [
        f"{names} are parts of a split set: the folders in them are the classes; {how_split(parts)}"
    ]


def _empty_classes(root: Path, parts: list[str], items: list[Item]) -> list[str]:
    """A note on class folders without images, which may be a copy that failed."""
    classes = {item.label for item in items}
    above = [root / part for part in parts] or [root]
    folders = [path for one in above for path in sorted(one.iterdir()) if path.is_dir()]
    names = dict.fromkeys(path.name for path in folders if not path.name.startswith("."))
    empty = [name for name in names if name not in classes]
    return [f"no images in {', '.join(empty)}: not a class of this task"] if empty else []
