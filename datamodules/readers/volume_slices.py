"""NIfTI volumes of a user's own folder as their axial slices."""

from collections import Counter
from dataclasses import replace

from datamodules.errors import BadFileError
from datamodules.formats.nifti import volume_layout
from datamodules.formats.orientation import ORDER, Layout
from datamodules.readers.folder_item import NIFTI, Item
from records.counted import counted

TURNED = "volumes turned by their header"  # a rule of `Listing.rules`


def with_slices(items: list[Item]) -> tuple[list[Item], tuple[str, ...], tuple[str, ...]]:
    """Every volume replaced by its slices, which form a group; notes, and rules that applied."""
    parts: list[Item] = []
    stored = Counter[str]()
    for item in items:
        if not item.has_type(NIFTI) or not item.path.is_file():
            parts.append(item)
            continue
        layout = _layout(item)
        if layout is not None:
            stored["".join(layout.codes or ())] += 1
        for k in range(1 if layout is None else layout.slices):
            parts.append(replace(item, slice=k, where=f"{item.where}, slice {k}"))
    unknown, order = stored.pop("", 0), "".join(ORDER)
    notes = []
    if turned := {codes: count for codes, count in stored.items() if codes != order}:
        kinds = ", ".join(f"{count} {codes}" for codes, count in sorted(turned.items()))
        volumes = counted(sum(turned.values()), "volume")
        notes.append(f"{volumes} turned to {order} by the header: stored {kinds}")
    if unknown:
        volumes = counted(unknown, "volume")
        notes.append(f"{volumes} without orientation in the header: slices of the third axis")
    return parts, tuple(notes), (TURNED,) if turned else ()


def _layout(item: Item) -> Layout | None:
    """None for a file that cannot be read: reading its first slice will report or skip it."""
    try:
        return volume_layout(item.path)
    except BadFileError:
        return None
