"""Names that become folders and W&B ids."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# W&B refuses / \ # ? % : in ids and ids over 128 characters; a file system names over 255 bytes.
WORD = re.compile(r"[\w.+-]+")
LONGEST_WORD = 48  # of model.name and data.name: a key has both, n, seed and 9 more characters
LONGEST_NAME = 100  # of `name`; the W&B group has 9 more characters


def problems_of_names(c: dict[str, Any]) -> Iterator[str]:
    """Problems of `name`, `model.name` and `data.name`.

    >>> safe = {"model": {"name": "lenet"}, "data": {"name": "digits"}, "name": "konz2024/isic"}
    >>> list(problems_of_names(safe))
    []
    >>> print(*problems_of_names(safe | {"name": "../x"}))
    `name=../x`: must be a folder below paths.runs; set paths.runs for another place.
    """
    name = str(c["name"])
    parts = Path(name).parts
    if not parts or ".." in parts or parts[0] == "/":
        yield f"`name={name}`: must be a folder below paths.runs; set paths.runs for another place."
    elif not all(map(_is_word, parts)):
        yield f"`name={name!r}`: must be letters, digits and _ . + - only, folders separated by /."
    words = {f"{group}.name": str(c[group]["name"]) for group in ("model", "data")}
    for setting, word in words.items():
        if not _is_word(word):
            yield (
                f"`{setting}={word!r}`: must be letters, digits and _ . + - only, because it names "
                "a folder."
            )
    for setting, text in {"name": name, **words}.items():
        size, most = len(text.encode()), LONGEST_NAME if setting == "name" else LONGEST_WORD
        if size > most:
            short = f"`{setting}={text[:20]}...`"
            yield f"{short}: {size} bytes long, at most {most} fit into a W&B id."


def _is_word(text: str) -> bool:
    return bool(WORD.fullmatch(text)) and text.strip(".") != ""
