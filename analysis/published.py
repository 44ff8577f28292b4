"""The numbers that the papers publish, each with its place: `published.csv` of each paper."""

from functools import cache
from pathlib import Path

import pandas as pd
from pandas import DataFrame

PAPERS = Path(__file__).parent / "papers"


COLUMNS = [
    *("item", "quantity", "model", "data", "domain", "task", "n", "level", "value", "low", "high"),
    "how",
]


@cache
def published_table(paper: str) -> DataFrame:
    """All published numbers of a paper; not to be changed, as the next call returns it again.

    >>> published_table("a paper without such numbers").empty
    True
    """
    file = PAPERS / paper / "published.csv"
    return pd.read_csv(file) if file.is_file() else DataFrame(columns=COLUMNS)


def published(quantity: str, paper: str = "konz2024", **where: object) -> DataFrame:
    """Published values of a quantity: columns item, model, data, ..., value, low, high, how.

    `how` says whether a number was printed or read off a figure.

    >>> published("log_r", model="vgg13").value.item()
    8.1
    """
    table = published_table(paper)
    table = table[table.quantity == quantity]
    for column, value in where.items():
        table = table[table[column] == value]
    return table.reset_index(drop=True)
