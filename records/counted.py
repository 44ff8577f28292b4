"""Counts with their noun."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun in singular or plural.

    >>> counted(1, "run"), counted(0, "run"), counted(2, "class", "classes")
    ('1 run', '0 runs', '2 classes')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"
