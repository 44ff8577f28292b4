"""The checkpoint from which a run resumes. Checks bytes only; does not import torch."""

import logging
import zipfile
from pathlib import Path

log = logging.getLogger(__name__)

LAST, PREVIOUS = "last.ckpt", "previous.ckpt"


def find_checkpoint(folder: Path) -> Path | None:
    """The newest complete checkpoint; damaged ones are reported."""
    existing = [path for path in (folder / LAST, folder / PREVIOUS) if path.exists()]
    whole = next(filter(is_whole, existing), None)
    broken = existing[: existing.index(whole)] if whole else existing
    if broken and whole:
        log.warning("%s is damaged; resuming from %s, the one before.", broken[0], whole.name)
    elif broken:
        log.warning("%s: damaged, and there is no other.", " and ".join(map(str, broken)))
    return whole


def is_whole(path: Path) -> bool:
    """Whether a checkpoint (a zip archive) is complete, by the checksums of its members.

    torch does not compress: an archive that unpacks to more than its own size is not a checkpoint,
    and loading it could fill the memory. Reading a pipe or device may never end.
    """
    if not path.is_file():
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if any(member.compress_type != zipfile.ZIP_STORED for member in members):
                return False
            if sum(member.file_size for member in members) > path.stat().st_size:
                return False
            return archive.testzip() is None
    except Exception:  # a damaged archive can raise anything
        return False
