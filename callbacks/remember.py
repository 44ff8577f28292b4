"""Results kept on disk under everything they depend on: computed once, by one process."""

import hashlib
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from records.atomic import write_text
from records.lock import Lock

log = logging.getLogger(__name__)

BLOCK = 1024  # images hashed at a time: a memory-mapped set need not fit into memory


def remember(
    folder: Path | None, identity: dict[str, Any], compute: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """What `compute` gives, or gave for the same identity.

    An entry is a JSON file with its identity beside its result. Another process that wants the same
    entry waits for the first; a damaged entry is computed anew.

    Args:
        folder: of the entries; None computes every time.
        identity: plain containers that tell this result from every other.
        compute: gives plain containers.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> remember(folder, {"size": 8}, lambda: {"answer": 1.5})
    {'answer': 1.5}
    >>> remember(folder, {"size": 8}, lambda: {"answer": 2.5})
    {'answer': 1.5}
    """
    if folder is None:
        return compute()
    text = json.dumps(identity, sort_keys=True)
    path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    with Lock(path.with_suffix(".lock"), on_wait=lambda who: log.info("waiting for %s", who)):
        try:
            entry = json.loads(path.read_text())
            if entry["identity"] == json.loads(text):
                return entry["result"]
        except FileNotFoundError:
            pass
        except (ValueError, KeyError, TypeError) as error:
            log.warning("cache: %s is damaged (%s) and computed anew", path, error)
        result = compute()
        write_text(path, json.dumps({"identity": identity, "result": result}, indent=1))
        return result


def content(*tensors: Tensor | None) -> str:
    """A digest of the numbers in some tensors, their shapes and types (1 GB/s).

    >>> x = torch.zeros(3, 2)
    >>> content(x) == content(torch.zeros(3, 2)) != content(x.view(2, 3))
    True
    """
    digest = hashlib.blake2b(digest_size=16)
    for tensor in tensors:
        if tensor is None:
            digest.update(b"none")
            continue
        digest.update(f"{tensor.dtype} {tuple(tensor.shape)}".encode())
        for block in tensor.split(BLOCK):
            digest.update(block.cpu().contiguous().view(torch.uint8).numpy())
    return digest.hexdigest()
