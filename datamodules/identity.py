"""Short identity of a configured callable or a file, for cache keys and folder names."""

import functools
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def identity(configured: Callable[..., Any]) -> list[Any]:
    """Name and bound settings of a function, a class or a `functools.partial` of one.

    >>> identity(functools.partial(int, base=2))
    ['builtins.int', [], {'base': 2}]
    """
    if isinstance(configured, functools.partial):
        name, args, keywords = identity(configured.func)
        return [name, [*args, *configured.args], {**keywords, **configured.keywords}]
    return [f"{configured.__module__}.{configured.__qualname__}", [], {}]


def digest(*parts: Any) -> str:
    """Sixteen hexadecimal digits that change when any part does.

    >>> digest("a", {"size": 8}) == digest("a", {"size": 8}) != digest("a", {"size": 9})
    True
    """
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def stamp(path: Path) -> tuple[str, int, int, int]:
    """Name, size and times of a file, which change with its content.

    The change time also detects a replacement with the old size and modification time.
    """
    status = path.stat()
    return str(path), status.st_size, status.st_mtime_ns, status.st_ctime_ns
