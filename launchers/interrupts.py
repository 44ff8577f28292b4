"""Signals that end a command: Ctrl-C, SIGTERM, and the end of the process that started it.

The last checkpoint is kept, and the exit code is the signal's.
"""

import contextlib
import os
import signal
from collections.abc import Iterator

from records.end_with_parent import end_with_parent
from records.ranks import is_nonzero_rank

PART = "PLUMBLINE_PART"  # set for runs that `Processes` starts and reports on: its process id
SIGNALS = (signal.SIGINT, signal.SIGTERM)
_owner = os.getpid()


class Interrupted(BaseException):
    """SIGINT or SIGTERM. Lightning would turn KeyboardInterrupt into exit code 1."""

    @property
    def exit_code(self) -> int:
        """As in shells: 128 plus the number of the signal."""
        return 128 + int(self.args[0])


def end_on_signals() -> None:
    """Raise `Interrupted` on SIGINT and SIGTERM; a forked rank ends at once, without a message."""
    for number in SIGNALS:
        signal.signal(number, _interrupt)


def _interrupt(number: int, _: object) -> None:
    if os.getpid() != _owner:
        os._exit(128 + number)
    raise Interrupted(number)


def end_with_launcher() -> None:
    """End when the process that started this run ends, even if it is killed."""
    launcher = os.environ.get(PART, "")
    if launcher.isdecimal():  # ranks 1, 2, ... inherit it from rank 0, which started them
        end_with_parent(os.getppid() if is_nonzero_rank() else int(launcher))


@contextlib.contextmanager
def deferred() -> Iterator[list[int]]:
    """Collect the numbers of SIGINT and SIGTERM in a list; the first is raised again on exit.

    Handlers, not a mask: child processes would inherit a mask and ignore signals.

    >>> with contextlib.suppress(KeyboardInterrupt), deferred() as received:
    ...     signal.raise_signal(signal.SIGINT)
    ...     received == [signal.SIGINT]
    True
    """
    received: list[int] = []
    before = {one: signal.signal(one, lambda number, _: received.append(number)) for one in SIGNALS}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if received:
        signal.raise_signal(received[0])
