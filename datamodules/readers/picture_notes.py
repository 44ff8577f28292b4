"""Notes on pictures that are shown other than they are stored."""

from datamodules.formats.shown_picture import picture_traits
from datamodules.readers.folder_item import PICTURES, Item
from records.counted import counted

MOST = 50_000  # pictures whose headers are looked at: some 10 seconds
WHITE, UPRIGHT = "transparency on white", "upright by EXIF"  # rules of `Listing.rules`


def picture_notes(items: list[Item]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What was found in the headers of the first `MOST` pictures, and the rules that applied."""
    pictures = [item for item in items if item.has_type(PICTURES)]
    found = [picture_traits(item.path) for item in pictures[:MOST]]
    where = f" among the first {MOST:,}" if len(pictures) > MOST else ""
    notes, rules = [], []
    if number := sum(one.is_transparent for one in found):
        notes.append(f"{counted(number, 'picture')} with transparency{where}: shown on white")
        rules.append(WHITE)
    if number := sum(one.is_turned for one in found):
        notes.append(f"{counted(number, 'picture')} turned upright{where}, as the EXIF data say")
        rules.append(UPRIGHT)
    if number := sum(one.has_pages for one in found):
        notes.append(f"{counted(number, 'file')} of several pages{where}: only the first is read")
    return tuple(notes), tuple(rules)
