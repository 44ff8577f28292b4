"""Labels of a user's own images from a pattern of their paths."""

from pathlib import Path

from datamodules.errors import DataError
from datamodules.readers.folder_item import Item, Labelled
from datamodules.readers.found_images import found_images
from datamodules.readers.left_out import left_out
from datamodules.readers.parts import are_parts, how_split, is_test
from datamodules.readers.path_patterns import group_in_path, label_in_path
from records.counted import counted


def labels_from_names(
    root: Path, pattern: str, group_pattern: str | None, without: str | None
) -> Labelled:
    """Every image whose path `pattern` matches; the others are counted.

    The first folder of a path can be a part of a split set, as in `labels_from_folders`.
    """
    found = found_images(root, without)
    paths = sorted([*found.images_at_top, *found.images])
    named = {
        path: label
        for path in paths
        if (label := label_in_path(pattern, path.as_posix())) is not None
    }
    if paths and not named:
        number = counted(len(paths), "path")
        raise DataError(
            f"data.reader.label_pattern={pattern}: matches none of the {number} below {root}, such "
            f"as `{paths[0].as_posix()}`; its parentheses match the class."
        )
    first = sorted({path.parts[0] for path in named if len(path.parts) > 1})
    parts = first if are_parts(first) else []
    items = [
        Item(
            root / path,
            label,
            group_in_path(group_pattern, path.as_posix()),
            str(root / path),
            is_test=bool(parts) and is_test(path.parts[0]),
        )
        for path, label in named.items()
    ]
    unmatched = [path for path in paths if path not in named]
    notes = list(found.notes)
    if unmatched:
        notes.append(
            f"{counted(len(unmatched), 'image')} left out, of which data.reader.label_pattern "
            f"matches no part (first: {unmatched[0].as_posix()})"
        )
    if len(parts) > 1:
        notes.append(f"{', '.join(parts)} are parts of a split set: {how_split(parts)}")
    on_others, warnings = left_out(found.others, len(paths))
    return Labelled(items, (*notes, *on_others), warnings)
