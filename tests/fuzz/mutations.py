"""Files as damage and malice make them: bits turned, parts cut out, doubled, numbers blown up."""

import contextlib
import resource
import signal
from collections.abc import Iterator

from hypothesis import strategies as st

EXTREMES = (
    *(b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80"),
    *(b"\0", b"\xff", b"\xff\xff", b"\xff" * 8, b"\x7f\xf0" + b"\0" * 6, b"1e999", b"-1", b"NaN"),
    *(b"99999999999", b"\n", b'"', b"{", b"/../../x", b"=cmd()", b"<script>"),
)
SECONDS = 20  # a reader that needs longer for a few kilobytes hangs
ROOM = 2 * 2**30  # bytes that a reader may ask for beyond what the process has


@st.composite
def mutations(draw: st.DrawFn, content: bytes) -> bytes:
    """A few changes to the bytes of a good file."""
    data = bytearray(content)
    for _ in range(draw(st.integers(1, 4))):
        # half of the changes hit the beginning, where headers are
        reach = draw(st.sampled_from((min(256, len(data)), len(data))))
        place = draw(st.integers(0, max(0, reach - 1)))
        kind = draw(st.sampled_from(("flip", "extreme", "insert", "cut", "double", "truncate")))
        length = draw(st.integers(1, 64))
        if kind == "flip" and data:
            data[place] ^= 1 << draw(st.integers(0, 7))
        elif kind in ("extreme", "insert"):
            value = draw(st.sampled_from(EXTREMES))
            data[place : place + (len(value) if kind == "extreme" else 0)] = value
        elif kind == "cut":
            del data[place : place + length]
        elif kind == "double":
            data[place:place] = data[place : place + length]
        elif kind == "truncate":
            del data[place:]
    return bytes(data)


class HangsError(BaseException):
    """Took longer than `SECONDS`; no `except Exception` swallows it."""


@contextlib.contextmanager
def confined() -> Iterator[None]:
    """Little time and little memory, as an error instead of a machine that stands still."""

    def ring(*_: object) -> None:
        raise HangsError

    with open("/proc/self/statm") as file:  # noqa: PTH123
        used = int(file.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, before[1]))
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, before)
