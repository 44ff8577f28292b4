"""Notes on files of a user's own folder that are not read."""

from collections import Counter
from pathlib import Path

from records.counted import counted

SHOWN = 5  # endings that are named
MANY = 0.05  # a larger share of all files is more than readme files and previews


def ending(name: str) -> str:
    """The ending of a file name, in lower case; a number, as in a UID, is none.

    >>> ending("a.TXT"), ending("IM0032"), ending("1.2.840.10008")
    ('.txt', 'without an ending', 'without an ending')
    """
    suffix = Path(name).suffix.lower()
    return "without an ending" if suffix[1:].isdigit() or len(suffix) < 2 else suffix


def left_out(others: Counter[str], read: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Notes, and warnings if they are many, on files by their endings that are no images.

    >>> left_out(Counter({".txt": 1}), read=99)
    (('1 file of other types left out (1 .txt)',), ())
    """
    count = others.total()
    if not count:
        return (), ()
    named = [f"{number:,} {kind}" for kind, number in others.most_common(SHOWN)]
    more = len(others) - SHOWN
    kinds = ", ".join(named) + (f" and {counted(more, 'other ending')}" if more > 0 else "")
    note = f"{counted(count, 'file')} of other types left out ({kinds})"
    share = count / (count + read)
    if share <= MANY:
        return (note,), ()
    return (), (f"{note}: {share:.0%} of the files; if they are images, convert them",)
