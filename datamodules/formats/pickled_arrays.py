"""Pickles of lists, texts and byte arrays, read without executing or expanding their content."""

import io
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

LARGEST = 2**28  # bytes of a file; CIFAR-100's training images take 155 million
OPCODES = (
    *("PROTO", "FRAME", "STOP", "MARK", "POP", "NONE", "NEWTRUE", "NEWFALSE"),
    *("BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT"),
    *("BINSTRING", "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES"),
    *("BINUNICODE", "SHORT_BINUNICODE"),
    *("EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "EMPTY_LIST", "EMPTY_DICT"),
    *("APPEND", "APPENDS", "GLOBAL", "STACK_GLOBAL", "REDUCE"),
    *("BINGET", "LONG_BINGET", "BINPUT", "LONG_BINPUT", "MEMOIZE"),
)


class _Array:
    """In place of `numpy.ndarray`, which would allocate any size the file claims."""


def _empty(kind: object, shape: object, code: object) -> np.ndarray:
    """First step of restoring a numpy array; its content follows."""
    if kind is not _Array or shape != (0,):
        raise pickle.UnpicklingError("restores an array in a way that numpy does not write")
    return np.empty(0, np.uint8)


def _dtype(name: object, *_: object) -> np.dtype[Any]:
    if name not in ("u1", b"u1"):
        raise pickle.UnpicklingError(f"contains an array of {name!r:.20}, not of bytes")
    return np.dtype(np.uint8)


def _encode(text: object, encoding: object) -> bytes:
    """The form in which Python 3 writes bytes in the old protocol."""
    if not isinstance(text, str) or encoding not in ("latin1", b"latin1"):
        raise pickle.UnpicklingError("contains text in an encoding that Python does not write")
    return text.encode("latin1")


GLOBALS: dict[tuple[str, str], Any] = {
    ("numpy.core.multiarray", "_reconstruct"): _empty,
    ("numpy._core.multiarray", "_reconstruct"): _empty,
    ("numpy", "ndarray"): _Array,
    ("numpy", "dtype"): _dtype,
    ("_codecs", "encode"): _encode,
}


class _ArraysOnly(pickle._Unpickler):
    """The pure-Python unpickler: it can be restricted, and allocates no claimed sizes.

    It is private and has no stubs, like the pickler that the stand-ins use.
    """

    pop_mark: Callable[[], list[Any]]
    stack: list[Any]
    metastack: list[list[Any]]
    dispatch: ClassVar[dict[int, Callable[..., None]]] = {
        code: pickle._Unpickler.dispatch[code]
        for code in (getattr(pickle, name)[0] for name in OPCODES)
    }

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in GLOBALS:
            return GLOBALS[module, name]
        raise pickle.UnpicklingError(f"uses {module}.{name}, which no CIFAR file needs")

    def _set_items(self) -> None:
        items = self.pop_mark()
        if not all(isinstance(key, bytes | str) for key in items[::2]):
            # the hash of nested tuples alone can take years
            raise pickle.UnpicklingError("contains a mapping whose keys are not names")
        self.stack[-1].update(zip(items[::2], items[1::2], strict=True))

    def _set_item(self) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self.metastack.append(self.stack)
        self.stack = [key, value]
        self._set_items()

    def _build(self) -> None:
        state = self.stack.pop()
        target = self.stack[-1]
        if isinstance(target, np.ndarray):
            _, shape, dtype, is_fortran, content = state
            sides = all(type(side) is int and side >= 0 for side in shape)
            if not (sides and isinstance(content, bytes) and isinstance(dtype, np.dtype)):
                raise pickle.UnpicklingError("contains an array whose content is not bytes")
            if math.prod(shape) != len(content):
                raise pickle.UnpicklingError("contains an array of another size than its content")
            restore: Any = target.__setstate__  # its stub requires numpy's own bool
            restore((1, tuple(shape), dtype, bool(is_fortran), content))
        elif not isinstance(target, np.dtype):  # its state is a byte order, and bytes have none
            raise pickle.UnpicklingError("contains an object that is not an array")

    dispatch[pickle.SETITEMS[0]] = _set_items
    dispatch[pickle.SETITEM[0]] = _set_item
    dispatch[pickle.BUILD[0]] = _build


def read_pickle(path: Path) -> Any:
    """The content of a pickle of lists, texts, numbers and arrays of bytes, in a regular file."""
    size = path.stat().st_size
    if size > LARGEST:
        raise pickle.UnpicklingError(f"has {size:,} bytes, more than {LARGEST:,}")
    return _ArraysOnly(io.BytesIO(path.read_bytes()), encoding="bytes").load()
