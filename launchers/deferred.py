"""Defer termination signals during work that must not be interrupted."""

import contextlib
import signal
from collections.abc import Iterator

REQUESTS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def deferred() -> Iterator[list[int]]:
    """Collect SIGINT and SIGTERM; the first is raised again on exit.

    Handlers, not a mask: child processes would inherit a mask and ignore signals.

    Yields:
        The numbers of the signals received so far.

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
