"""Notes on labels that may be two spellings of one class, or a missing value."""

import re
from collections.abc import Callable, Iterable

from records.counted import counted

MISSING = ("na", "n/a", "#n/a", "nan", "null")  # as R, Excel, NumPy and databases write it


def label_notes(labels: Iterable[str]) -> tuple[str, ...]:
    """Notes on labels that are equal as numbers, or but for case and blanks, or may be missing.

    >>> label_notes(["b", "B", "1", "1.0"])[0][:52]
    'the labels `1` and `1.0` are equal as numbers, but a'
    >>> label_notes(["b", "B", "1", "1.0"])[1][:52]
    'the labels `B` and `b` differ only in case or blanks'
    >>> label_notes(["0", "NA"])
    ('the label `NA` is a class here; if it means that the label is missing, leave these ...',)
    >>> label_notes(["Mass", "Mass|Nodule"])
    ('1 label with `|` (first: `Mass|Nodule`): every combination is a class here; for one ...',)
    """
    different = sorted(set(labels))
    return (
        *_alike(different, _number, "are equal as numbers"),
        *_alike(different, _plain, "differ only in case or blanks"),
        *(
            f"the label `{label}` is a class here; if it means that the label is missing, leave "
            "these images out, in a table by a blank label"
            for label in different
            if label.lower() in MISSING
        ),
        *_joined([label for label in different if "|" in label]),
    )


def _joined(labels: list[str]) -> list[str]:
    """A note on labels that name several findings, as those of ChestX-ray14 do."""
    if not labels:
        return []
    return [
        f"{counted(len(labels), 'label')} with `|` (first: `{labels[0]}`): every combination is a "
        "class here; for one finding write a column of 0 and 1"
    ]


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
