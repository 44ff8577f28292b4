"""Names of users' own data sets: distinct for distinct images."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pandas import DataFrame

from datamodules.spec import OWN
from records.data_place import data_listing, reading
from records.printable import printable
from records.reader import Record

SHOWN = 6  # digits of a digest in a name
OWN_SET = "_own_set"  # a column that is dropped again


@dataclass(frozen=True)
class OwnSet:
    """What distinguishes the data sets of two runs."""

    root: str  # folder or file of the images; `.../<its last parts>` in an archive
    reading: str  # how they are read, whatever their place: equal settings, equal text
    listing: str  # digest of the place and of how the images are read
    whole: str | None  # fingerprint of every image of the set; None: not known


def own_set(record: Record) -> OwnSet | None:
    """The data set of a run; None for those that are not a user's own."""
    data = record["settings"]["data"]
    if data["name"] not in OWN or not data.get("root"):
        return None
    whole = record.get("data_set_fingerprint")
    return OwnSet(str(printable(data["root"])), reading(data), data_listing(record), whole)


def with_data_names(table: DataFrame) -> DataFrame:
    """A table of runs in which distinct own sets have distinct names; without `OWN_SET`."""
    if OWN_SET not in table:
        return table
    is_own = table[OWN_SET].notna()
    plain = table.drop(columns=OWN_SET)
    plain.loc[is_own, "data"] = distinct_names(table[OWN_SET][is_own].tolist())
    return plain


def folder_name(root: str) -> str:
    """The last part of a path; of an array file without its ending.

    >>> folder_name("/me/scan.2020"), folder_name("/me/knees.npz")
    ('scan.2020', 'knees')
    """
    return PurePosixPath(root).name.removesuffix(".npz")


def distinct_names(sets: Sequence[OwnSet]) -> list[str]:
    """For each of these the shortest end of its path that no other place has.

    The same images in two folders of one name, such as one that was moved, are one data set. One
    place with images that changed is several: their names end with a part of the fingerprint.

    >>> a, b = (OwnSet(f"/me/{name}/images", "", name, f"{name}01234567") for name in ("A", "B"))
    >>> distinct_names([a, a]), distinct_names([a, b])
    (['images', 'images'], ['A/images', 'B/images'])
    >>> edited = OwnSet("/me/A/images", "", "A", "fedcba98")
    >>> distinct_names([a, edited])
    ['images (A01234)', 'images (fedcba)']
    """
    roots: dict[tuple[str, str], str] = {}  # of the same images the most complete path
    kinds = [(_images(one), folder_name(one.root)) for one in sets]
    for kind, one in zip(kinds, sets, strict=True):
        roots[kind] = max(roots.get(kind, one.root), one.root, key=_depth_and_text)
    places = [roots[kind] for kind in kinds]
    names = _shortest_ends(set(places))
    states: dict[tuple[str, str, bool], set[str]] = defaultdict(set)
    alike = [
        (names[place], one.reading, one.whole is None)
        for one, place in zip(sets, places, strict=True)
    ]
    for one, group in zip(sets, alike, strict=True):
        states[group].add(_images(one))
    return [
        f"{group[0]} ({_images(one)[:SHOWN]})" if len(states[group]) > 1 else group[0]
        for one, group in zip(sets, alike, strict=True)
    ]


def _images(one: OwnSet) -> str:
    return one.whole or one.listing


def _depth_and_text(root: str) -> tuple[int, str]:
    return len(_parts(root)), root


def _parts(root: str) -> list[str]:
    """The folders of a path and its `folder_name`; what an archive left out has none."""
    inside = [part for part in PurePosixPath(root).parts if part not in ("/", "...")]
    return [*inside[:-1], folder_name(root)]


def _shortest_ends(roots: set[str]) -> dict[str, str]:
    """For every path its fewest last parts that are not the end of another one, else all."""
    having: dict[str, set[str]] = defaultdict(set)
    for root in roots:
        for end in _ends(root):
            having[end].add(root)
    return {
        root: next((end for end in _ends(root) if len(having[end]) == 1), _ends(root)[-1])
        for root in roots
    }


def _ends(root: str) -> list[str]:
    """The last part of a path, its last two, and so on."""
    parts = _parts(root)
    return ["/".join(parts[-count:]) for count in range(1, len(parts) + 1)]
