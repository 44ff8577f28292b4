"""The checkpoint from which a run resumes. Checks bytes only; does not import torch."""

import logging
import zipfile
from pathlib import Path

log = logging.getLogger(__name__)

LAST, PREVIOUS = "last.ckpt", "previous.ckpt"


def find_checkpoint(folder: Path) -> Path | None:
    """The newest complete checkpoint; damaged ones are reported."""
    broken: list[Path] = []
    for name in (LAST, PREVIOUS):
        path = folder / name
        if not path.exists():
            continue
        if is_whole(path):
            if broken:
                log.warning(
                    "%s is damaged; resuming from %s, the one before.", broken[0], path.name
                )
            return path
        broken.append(path)
    if broken:
        log.warning("%s: damaged, and there is no other.", " and ".join(map(str, broken)))
    return None


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
