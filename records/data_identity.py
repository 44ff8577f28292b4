"""The identity of a run's data, independent of their location; and changes between versions."""

import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from records.atomic import replacing
from records.counted import counted
from records.first_of import first_of
from records.printable import printable
from records.reader import read_bytes

FOLDER = "data"  # beside the runs of an experiment: runs on the same data share a manifest
MISSING = "missing"  # digest of a file that does not exist; reading the image raises an error
LARGEST = 2**27  # bytes of an unpacked manifest: a million images

Image = tuple[int | str, str, str]  # label, group, digest of its file


@dataclass(frozen=True)
class Manifest:
    """Every image that a fingerprint covers, by name: its file below the root, and its part."""

    total: int  # images of the whole set, covered or not
    images: dict[str, Image] = field(default_factory=dict)


@dataclass(frozen=True)
class DataIdentity:
    """The data of a planned run.

    A run whose data cannot be listed has none; it fails with the reason when it starts.
    """

    fingerprint: str
    replaces: tuple[str, ...]  # dotted names of settings that only locate the data
    manifest: Callable[[], Manifest]
    images: str | None = None  # fingerprint of the images, without array files of the settings
    whole: str | None = None  # the same, if it covers every image of the set


def data_seen(record: dict[str, Any]) -> str:
    """When the data of a record were last seen unchanged: at its start, or at a later reuse.

    >>> data_seen({"started": "2026-01-01", "data_confirmed": "2026-03-01"})
    '2026-03-01'
    """
    return max(str(record.get(name) or "") for name in ("started", "data_confirmed"))


def keep_manifest(folder: Path, identity: DataIdentity) -> None:
    """Write the manifest of the data into the folder of an experiment, unless it is there."""
    path = _path(folder, identity.fingerprint)
    if path.exists():
        return
    manifest = identity.manifest()
    content = json.dumps({"total": manifest.total, "images": manifest.images})
    with replacing(path, unique=True) as temporary:
        temporary.write_bytes(gzip.compress(content.encode(), mtime=0))


def read_manifest(folder: Path, fingerprint: str) -> Manifest | None:
    """The manifest of a fingerprint; None if it cannot be read."""
    try:
        packed = read_bytes(_path(folder, fingerprint), LARGEST)
        with gzip.open(io.BytesIO(packed)) as file:
            text = file.read(LARGEST + 1)  # a megabyte could unpack to a gigabyte
        content = json.loads(text) if len(text) <= LARGEST else {}
        images = {str(name): tuple(one) for name, one in content["images"].items()}
        return Manifest(int(content["total"]), images)
    except Exception:  # it only serves to report changes
        return None


def change_between(before: Manifest, after: Manifest) -> str:
    """How many images changed, and the first names.

    >>> before = Manifest(3, {"a": (0, "", "x"), "b": (0, "", "y"), "c": (1, "", "z")})
    >>> after = Manifest(3, {"a": (1, "", "x"), "b": (0, "", "w"), "d": (1, "", "v")})
    >>> change_between(before, after)
    '1 image added (d), 1 removed (c), 1 relabelled (a), 1 replaced (b)'
    >>> change_between(before, Manifest(3, {**before.images, "c": (1, "", MISSING)}))
    '1 image missing (c)'
    """
    old, new = before.images, after.images
    both = [name for name in new if name in old]
    changed = [name for name in both if new[name][2] != old[name][2]]
    found = {
        "added": [name for name in new if name not in old],
        "removed": [name for name in old if name not in new],
        "relabelled": [name for name in both if new[name][0] != old[name][0]],
        "regrouped": [name for name in both if new[name][1] != old[name][1]],
        "missing": [name for name in changed if new[name][2] == MISSING],
        "replaced": [name for name in changed if new[name][2] != MISSING],
    }
    is_part = len(old) < before.total or len(new) < after.total
    if is_part:  # another sample of a large set is not a change of the set
        del found["added"], found["removed"]
    changes = [
        f"{counted(len(names), 'image') if place == 0 else len(names)} {what} "
        f"({printable(first_of(names))})"
        for place, (what, names) in enumerate((w, n) for w, n in found.items() if n)
    ]
    if is_part and before.total != after.total:
        changes.append(f"{after.total} images in all instead of {before.total}")
    return ", ".join(changes) or "other images are drawn or tested on, or are read by other rules"


def _path(folder: Path, fingerprint: str) -> Path:
    return folder / FOLDER / f"{fingerprint}.json.gz"
