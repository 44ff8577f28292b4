"""A setting as a shell and Hydra read it, for advice that can be copied."""

import re

# text for Hydra without quotes: not a number, not null, no letters beyond ASCII
PLAIN = re.compile(r"(?!(?:null|true|false|nan|inf)$)[a-z_/.][\w./:@%+-]*", re.ASCII | re.I)


def setting(key: str, value: object) -> str:
    r"""`key=value`, in quotes where the value has blanks or other special characters.

    >>> print(setting("data.reader.group", "patient_id"), setting("data.reader.group", "case no"))
    data.reader.group=patient_id "data.reader.group='case no'"
    >>> print(setting("data.root", "/home/me/Tom's $5"))
    "data.root='/home/me/Tom\'s \$5'"
    """
    text = str(value)
    if PLAIN.fullmatch(text):
        return f"{key}={text}"
    doubled = re.sub(r"(\\+)(?='|$)", r"\1\1", text)  # Hydra: before a quote, `\` needs another
    quoted = f"{key}='" + doubled.replace("'", "\\'") + "'"
    shell = re.sub(r'\\(?=[\\"$`])|["$`]', r"\\\g<0>", quoted)
    return f'"{shell}"'
