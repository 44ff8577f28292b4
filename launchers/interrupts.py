"""Ctrl-C and SIGTERM end a command; its last checkpoint is kept, its exit code is the signal's."""

import os
import signal

_owner = os.getpid()


class Interrupted(BaseException):
    """SIGINT or SIGTERM. Lightning would turn KeyboardInterrupt into exit code 1."""

    @property
    def exit_code(self) -> int:
        """As in shells: 128 plus the number of the signal."""
        return 128 + int(self.args[0])


def end_on_signals() -> None:
    """Raise `Interrupted` on SIGINT and SIGTERM; a forked rank ends at once, without a message."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)


def _interrupt(number: int, _: object) -> None:
    if os.getpid() != _owner:
        os._exit(128 + number)
    raise Interrupted(number)
