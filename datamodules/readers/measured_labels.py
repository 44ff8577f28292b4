"""Labels that are measurements, of which no class has enough images."""

from collections.abc import Sequence
from pathlib import Path

from datamodules.errors import BadFileError

MOST = 10  # different fractions that may still be grades, such as 0.5 and 1.5
FEWEST = 4  # images per class, on average


def check_are_classes(file: Path | str, column: str, labels: Sequence[str]) -> None:
    """Raise for a column of fractions with nearly as many values as images, such as weights.

    >>> check_are_classes("a.csv", "grade", ["0.5", "1.0"] * 10)
    >>> check_are_classes("a.csv", "weight", [f"{k / 7:.3f}" for k in range(20)])
    Traceback (most recent call last):
    datamodules.errors.BadFileError: a.csv: `weight` has 20 different numbers for 20 images, ...
    """
    different = sorted(set(labels))
    if len(different) <= MOST or FEWEST * len(different) < len(labels):
        return
    try:
        numbers = [float(label.replace(",", ".")) for label in different]
    except ValueError:
        return
    if all(number.is_integer() for number in numbers):
        return
    raise BadFileError(
        file,
        f"`{column}` has {len(different):,} different numbers for {len(labels):,} images, such as "
        f"{different[0]}: measurements, not classes.",
        "Write classes into a column, such as `high` from a limit on, or name another column: "
        "data.reader.label_column=...",
    )
