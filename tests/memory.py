"""The largest memory that a piece of code needed, as the kernel counts it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PROCESS = Path("/proc/self")


@dataclass
class Peak:
    """Bytes beyond what the process had before."""

    bytes: int = 0


@contextmanager
def peak_memory() -> Iterator[Peak]:
    """Measure the peak of resident memory inside the block, C libraries included."""
    peak = Peak()
    (PROCESS / "clear_refs").write_text("5")  # sets the peak to what is used now
    before = _status("VmRSS")
    try:
        yield peak
    finally:
        peak.bytes = max(0, _status("VmHWM") - before)


def _status(name: str) -> int:
    lines = (PROCESS / "status").read_text().splitlines()
    (value,) = (line.split()[1] for line in lines if line.startswith(f"{name}:"))
    return int(value) * 1024
