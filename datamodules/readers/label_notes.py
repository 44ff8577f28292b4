"""Notes on labels that may be two spellings of one class."""

import re
from collections.abc import Callable, Iterable


def label_notes(labels: Iterable[str]) -> tuple[str, ...]:
    """Notes on labels that are equal as numbers, or but for case and blanks.

    >>> label_notes(["b", "B", "1", "1.0"])[0][:52]
    'the labels `1` and `1.0` are equal as numbers, but a'
    >>> label_notes(["b", "B", "1", "1.0"])[1][:52]
    'the labels `B` and `b` differ only in case or blanks'
    """
    different = sorted(set(labels))
    return (
        *_alike(different, _number, "are equal as numbers"),
        *_alike(different, _plain, "differ only in case or blanks"),
    )


def _alike(labels: list[str], form: Callable[[str], object], how: str) -> list[str]:
    spelled: dict[object, list[str]] = {}
    for label in labels:
        if (key := form(label)) is not None:
            spelled.setdefault(key, []).append(label)
    return [
        f"the labels {' and '.join(f'`{label}`' for label in same)} {how}, but are {len(same)} "
        "classes here; spell them alike to join them"
        for same in spelled.values()
        if len(same) > 1
    ]


def _number(label: str) -> float | None:
    return float(label) if re.fullmatch(r"[-+]?\d+(\.\d*)?", label) else None


def _plain(label: str) -> str:
    return "".join(label.casefold().split())
