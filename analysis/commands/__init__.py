"""Commands: the first word after `python -m analysis`; one file with a `main` each."""

import importlib
import pkgutil
from collections.abc import Callable, Sequence

Command = Callable[[Sequence[str]], int]


def command_names() -> list[str]:
    """All commands.

    >>> command_names()
    ['archive', 'atlas', 'best', 'claims', 'difficulty', 'watch']
    """
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def command(word: str) -> Command | None:
    """The `main` of a command; None if there is no such command.

    >>> command("runs/konz2024") is None
    True
    """
    if word not in command_names():
        return None
    found: Command = importlib.import_module(f"{__name__}.{word}").main
    return found
