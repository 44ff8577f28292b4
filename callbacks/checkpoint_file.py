"""Files of plain containers and tensors: written atomically, read without running code."""

from pathlib import Path
from typing import Any

import torch

from records.atomic import replacing


def save(content: dict[str, Any], path: Path, keep: str | None = None) -> None:
    """Write plain containers and tensors to a temporary file, flush, rename.

    `keep` is a new name for the file that was at `path` before; None: it is overwritten.
    """
    with replacing(path) as temporary:
        try:
            torch.save(content, temporary)
        except RuntimeError as error:  # torch's error on a full disk
            reason = str(error).splitlines()[0]
            raise OSError(
                f"{path}: the checkpoint cannot be written; is there room? ({reason})"
            ) from error
        if keep is not None and path.exists():
            path.replace(path.with_name(keep))


def load(path: str | Path, map_location: Any = None) -> dict[str, Any]:
    """Load plain containers and tensors only: a checkpoint cannot run code.

    ValueError if the file is damaged or has anything else.
    """
    try:
        content: dict[str, Any] = torch.load(
            path, map_location=map_location or "cpu", weights_only=True
        )
    except Exception as error:  # a foreign file can raise anything
        raise ValueError(
            f"{path}: not a checkpoint of plain tensors ({str(error).splitlines()[0]}); "
            "remove it, or restart with resume=never."
        ) from error
    return content
