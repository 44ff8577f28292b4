"""A setting as a shell and Hydra read it, for advice that can be copied."""

import re

PLAIN = re.compile(r"[\w./:@%+-]+")


def setting(key: str, value: object) -> str:
    """`key=value`, in quotes where the value has blanks or other special characters.

    >>> print(setting("data.reader.group", "patient_id"), setting("data.reader.group", "case no"))
    data.reader.group=patient_id "data.reader.group='case no'"
    """
    text = str(value)
    return f"{key}={text}" if PLAIN.fullmatch(text) else f"\"{key}='{text}'\""
