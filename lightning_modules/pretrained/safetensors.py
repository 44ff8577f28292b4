"""Read a `.safetensors` file: 8 bytes of length, a JSON header, the numbers.

The format is small and contains no code, so this reader replaces a dependency. Every length in the
header is checked against the file before anything is allocated.
"""

import json
import math
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

TYPES = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
    "I64": torch.int64, "I32": torch.int32, "I16": torch.int16, "I8": torch.int8,
    "U8": torch.uint8, "BOOL": torch.bool,
}  # fmt: skip
LONGEST_HEADER = 100_000_000  # bytes, as in the format's own reader
METADATA = "__metadata__"
LARGEST = 2**63  # torch refuses larger sizes, even for a tensor without values


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a file by name; ValueError if it is damaged or of another format."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, LONGEST_HEADER):
            raise ValueError(f"{path}: no safetensors file: its header does not fit into it.")
        try:
            header = json.loads(file.read(length))
            places = [_place(name, entry) for name, entry in header.items() if name != METADATA]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"{path}: no safetensors file: bad header ({error}).") from None
        places.sort(key=lambda place: place[3])
        end = 0
        for name, _, _, start, stop in places:
            if start != end:
                raise ValueError(f"{path}: damaged: `{name}` begins at {start} instead of {end}.")
            end = stop
        if 8 + length + end != size:
            raise ValueError(f"{path}: damaged: {size} bytes instead of {8 + length + end}.")
        found = {}
        for name, kind, shape, start, stop in places:
            content = bytearray(file.read(stop - start))
            numbers = torch.frombuffer(content, dtype=kind) if content else torch.empty(0)
            found[name] = numbers.to(kind).reshape(shape)
    return found


def _place(name: str, entry: Any) -> tuple[str, torch.dtype, tuple[int, ...], int, int]:
    """Name, type, shape, first byte and end of a tensor, checked for consistency."""
    kind, (start, stop) = TYPES[entry["dtype"]], entry["data_offsets"]
    shape = tuple(entry["shape"])
    numbers = (*shape, start, stop)
    if any(type(number) is not int or not 0 <= number < LARGEST for number in numbers):
        raise ValueError(f"`{name}`: shapes and offsets must be whole numbers from 0")
    if stop - start != math.prod(shape) * kind.itemsize:
        raise ValueError(f"`{name}`: {stop - start} bytes for {list(shape)} of {entry['dtype']}")
    return name, kind, shape, start, stop
