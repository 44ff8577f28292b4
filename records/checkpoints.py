"""Which checkpoint of a run to go on from. Looks at the files' bytes only; no torch here."""

import zipfile
from collections.abc import Callable
from pathlib import Path

LAST, PREVIOUS = "last.ckpt", "previous.ckpt"


def find_checkpoint(folder: Path, say: Callable[[str], None]) -> Path | None:
    """The newest checkpoint whose bytes are all there, saying which was passed over."""
    broken: list[Path] = []
    for name in (LAST, PREVIOUS):
        path = folder / name
        if not path.exists():
            continue
        if is_whole(path):
            if broken:
                say(f"{broken[0]} is damaged; going on from the one before it, {path.name}.")
            return path
        broken.append(path)
    if broken:
        say(f"{' and '.join(map(str, broken))}: damaged, and there is no other.")
    return None


def is_whole(path: Path) -> bool:
    """Whether a checkpoint (a zip archive) is complete, by the checksums of its members."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.testzip() is None
    except Exception:  # a damaged archive raises whatever it was damaged into
        return False
