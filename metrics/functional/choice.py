"""Check that a word is one of a fixed set."""

from typing import Any, get_args


def check_choice(name: str, value: str, choices: Any) -> None:
    """Raise ValueError unless `value` is one of the words of the `Literal` type `choices`.

    Example:
        >>> from typing import Literal
        >>> check_choice("norm", "l3", Literal["l2", "linf"])
        Traceback (most recent call last):
        ValueError: norm='l3'; use one of 'l2', 'linf'
    """
    words = get_args(choices)
    if value not in words:
        raise ValueError(f"{name}={value!r}; use one of {', '.join(map(repr, words))}")
