"""Names of the parts of a set that is already split, and what is done with them."""

from collections.abc import Iterable

TEST = ("test", "testing")
PARTS = ("train", "training", "val", "valid", "validation", *TEST)


def are_parts(names: Iterable[str]) -> bool:
    """Whether there are names and all of them are names of parts, in upper or lower case.

    >>> are_parts(["Train", "test"]), are_parts(["train", "cat"]), are_parts([])
    (True, False, False)
    """
    names = list(names)
    return bool(names) and all(name.lower() in PARTS for name in names)


def is_test(name: str) -> bool:
    """Whether a part is the test set."""
    return name.lower() in TEST


def how_split(parts: Iterable[str]) -> str:
    """How a set with these parts is split, for notes.

    >>> how_split(["Test", "train"])
    'all images are one set, which is split anew, unless data.split=official, which tests on Test'
    """
    parts = list(parts)
    tests = [name for name in parts if is_test(name)]
    how = "all images are one set, which is split anew"
    if tests and len(tests) < len(parts):
        how += f", unless data.split=official, which tests on {' and '.join(tests)}"
    return how
