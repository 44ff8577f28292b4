"""The first names of a list, for messages."""

from collections.abc import Iterable


def first_of(names: Iterable[str], most: int = 3) -> str:
    """The first names, and dots if there are more.

    >>> first_of(["a", "b"]), first_of("abcd"), first_of("abcd", most=1)
    ('a, b', 'a, b, c, ...', 'a, ...')
    """
    found = list(names)
    return ", ".join(found[:most]) + ", ..." * (len(found) > most)
