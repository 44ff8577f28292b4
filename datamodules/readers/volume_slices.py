"""NIfTI volumes of a user's own folder as their axial slices."""

from collections import Counter
from dataclasses import replace

import numpy as np

from datamodules.errors import BadFileError
from datamodules.formats.nifti import load_volume, volume_layout
from datamodules.formats.orientation import ORDER, Layout
from datamodules.padding import PADDING
from datamodules.readers.folder_item import NIFTI, Item
from records.counted import counted

TURNED = "volumes turned by their header"  # a rule of `Listing.rules`


def with_slices(items: list[Item]) -> tuple[list[Item], tuple[str, ...], tuple[str, ...]]:
    """Every volume replaced by its slices, which form a group; notes, and rules that applied."""
    parts: list[Item] = []
    stored, has_floats, series = Counter[str](), False, 0
    for item in items:
        if not item.has_type(NIFTI) or not item.path.is_file():
            parts.append(item)
            continue
        layout = _layout(item)
        if layout is not None:
            stored["".join(layout.codes or ())] += 1
            has_floats |= layout.has_floats
            series += layout.volumes > 1
        for k in range(1 if layout is None else layout.slices):
            parts.append(replace(item, slice=k, where=f"{item.where}, slice {k}"))
    unknown, order = stored.pop("", 0), "".join(ORDER)
    notes = []
    if turned := {codes: count for codes, count in stored.items() if codes != order}:
        kinds = ", ".join(f"{count} {codes}" for codes, count in sorted(turned.items()))
        number = counted(sum(turned.values()), "volume")
        notes.append(f"{number} turned to {order} by the header: stored {kinds}")
    if unknown:
        number = counted(unknown, "volume")
        notes.append(f"{number} without orientation in the header: slices of the third axis")
    if series:
        notes.append(f"{counted(series, 'file')} of several volumes: only the first is read")
    volumes = {part.path for part in parts if part.slice is not None and part.group is None}
    if volumes:
        notes.append(
            f"groups are the files of {counted(len(volumes), 'volume')}; if a patient has several, "
            "give the patient by data.reader.group_pattern or a table"
        )
    rules = {TURNED: bool(turned), PADDING: has_floats}
    return parts, tuple(notes), tuple(rule for rule, applies in rules.items() if applies)


def nan_voxels(items: list[Item]) -> tuple[int, int]:
    """Numbers of volumes with NaN and of their NaN voxels."""
    found = []
    for path in dict.fromkeys(item.path for item in items if item.slice is not None):
        try:
            volume = load_volume(path)
        except BadFileError:
            continue  # reading its slices will report or skip it
        found.append(int(np.isnan(volume).sum()) if volume.dtype.kind == "f" else 0)
    return sum(count > 0 for count in found), sum(found)


def _layout(item: Item) -> Layout | None:
    """None for a file that cannot be read: reading its first slice will report or skip it."""
    try:
        return volume_layout(item.path)
    except BadFileError:
        return None
