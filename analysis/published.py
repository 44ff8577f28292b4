"""The numbers that the papers publish, each with its place: `published.csv` of each paper."""

from functools import cache
from pathlib import Path

import pandas as pd
from pandas import DataFrame

PAPERS = Path(__file__).parent / "papers"


def papers() -> list[str]:
    """Papers with published numbers.

    >>> "konz2024" in papers()
    True
    """
    return sorted(path.parent.name for path in PAPERS.glob("*/published.csv"))


@cache
def _read(paper: str) -> DataFrame:
    return pd.read_csv(PAPERS / paper / "published.csv")


def published(quantity: str, paper: str = "konz2024", **where: object) -> DataFrame:
    """Published values of a quantity: columns item, model, data, ..., value, low, high, how.

    `how` says whether a number was printed or read off a figure.

    >>> published("log_r", model="vgg13").value.item()
    8.1
    """
    table = _read(paper)
    table = table[table.quantity == quantity]
    for column, value in where.items():
        table = table[table[column] == value]
    return table.reset_index(drop=True)


def published_table(paper: str = "konz2024") -> DataFrame:
    """All published numbers of a paper."""
    return _read(paper).copy()
