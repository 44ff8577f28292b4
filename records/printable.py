"""Text that can be encoded as UTF-8, also from file names that are not."""

from typing import Any


def printable(value: Any) -> Any:
    r"""A copy whose texts have bytes that are not UTF-8 written as `\xff`.

    Python reads such a byte of a file name as a lone surrogate, which files, terminals and W&B
    cannot encode.

    >>> printable({"root": "caf\udce9", "n": [1, "é"]})
    {'root': 'caf\\xe9', 'n': [1, 'é']}
    """
    if isinstance(value, str):
        try:
            known = value.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # a surrogate that is not an escaped byte
            known = value.encode("utf-8", "backslashreplace")
        return known.decode("utf-8", "backslashreplace")
    if isinstance(value, dict):
        return {printable(name): printable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [printable(item) for item in value]
    return value
