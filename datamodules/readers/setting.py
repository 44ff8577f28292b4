"""A setting as a shell and Hydra read it, for advice that can be copied."""

import re

# text for Hydra without quotes: not a number, not null, no letters beyond ASCII
PLAIN = re.compile(r"(?!(?:null|true|false|nan|inf)$)[a-z_/.][\w./:@%+-]*", re.ASCII | re.I)


def setting(key: str, value: object) -> str:
    r"""`key=value`, in quotes where the value has blanks or other special characters, or is a list.

    >>> print(setting("data.reader.group", "patient_id"), setting("data.reader.group", "case no"))
    data.reader.group=patient_id "data.reader.group='case no'"
    >>> print(setting("data.root", "/home/me/Tom's $5"), setting("columns", ["NV", "a b"]))
    "data.root='/home/me/Tom\'s \$5'" "columns=[NV,'a b']"
    """
    if isinstance(value, list):
        text = "[" + ",".join(_for_hydra(str(one)) for one in value) + "]"
    elif (text := _for_hydra(str(value))) == str(value):
        return f"{key}={text}"
    shell = re.sub(r'\\(?=[\\"$`])|["$`]', r"\\\g<0>", f"{key}={text}")
    return f'"{shell}"'


def _for_hydra(text: str) -> str:
    if PLAIN.fullmatch(text):
        return text
    doubled = re.sub(r"(\\+)(?='|$)", r"\1\1", text)  # before a quote, `\` needs another
    return "'" + doubled.replace("'", "\\'") + "'"
