"""Requests to end that come while something must not be left half done."""

import contextlib
import signal
from collections.abc import Iterator

REQUESTS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def deferred() -> Iterator[list[int]]:
    """Note Ctrl-C and requests to end as they come; the first is followed on leaving.

    Handlers, not a mask: programs started inside would inherit a mask, and be deaf themselves.

    Yields:
        The numbers of the signals that have come so far.

    >>> with contextlib.suppress(KeyboardInterrupt), deferred() as asked:
    ...     signal.raise_signal(signal.SIGINT)
    ...     asked == [signal.SIGINT]
    True
    """
    asked: list[int] = []
    before = {one: signal.signal(one, lambda number, _: asked.append(number)) for one in REQUESTS}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if asked:
        signal.raise_signal(asked[0])
