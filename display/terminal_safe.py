"""Text from files and records, made safe for a terminal."""

import re

# C0 and C1 controls except newline and tab; marks that reorder text; halves of surrogate pairs.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def terminal_safe(text: str) -> str:
    r"""A text with its control characters escaped: a record may come from an untrusted source.

    >>> terminal_safe("\x1b[2Jn = 5")
    '\\x1b[2Jn = 5'
    """
    return UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
