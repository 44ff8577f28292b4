"""Published numbers beside the means of our runs of the same network, data set, task and n."""

import re

from pandas import DataFrame, Series

from analysis.exhibits import Exhibit
from analysis.printing.typeset import text
from analysis.published import published_table
from analysis.statistics.grid import main_view, trained_view
from analysis.statistics.properties import ONE_SET

WHERE = ["model", "data", "domain", "task", "n"]
PAPER_SIZE = 224  # px; K_F per grey level goes as 1/size


def beside_published(exhibit: Exhibit, runs: DataFrame) -> DataFrame:
    """Published values of an exhibit's figure or table, each with the mean of our matching runs.

    A published row matches the runs that agree with it in all it states of network, data set,
    domain, task and n; of these the main view alone. Properties of the images count once however
    many networks saw them, K_F at the largest n, and per grey level at 224 px only, because it
    falls with the size of the images. Numbers that are no column of the runs (fitted ones) have
    none of ours here: the exhibit itself shows them.
    """
    rows = []
    for _, row in published_of(exhibit).iterrows():
        ours = _ours(row, runs)
        stated = {name: row[name] for name in ("item", "quantity", *WHERE, "level") if name in row}
        shown = {name: "" if _empty(value) else text(value) for name, value in stated.items()}
        value = {"published": row["value"], "how": row["how"]}
        rows.append(
            shown | value | {"ours": ours.mean(), "deviation": ours.std(), "runs": len(ours)}
        )
    found = DataFrame(rows)
    blank = [name for name in found.columns if (found[name] == "").all()]
    return found.drop(columns=blank)


def published_of(exhibit: Exhibit) -> DataFrame:
    """The published values of an exhibit; empty if there are none.

    >>> from analysis.exhibits import load
    >>> published_of(load("tables", "prach2025", "theorem_2"))["value"].tolist()
    [37.0]
    """
    table = published_table(exhibit.paper)
    return table[table["item"].isin(place_names(exhibit.source))]


def place_names(source: str) -> set[str]:
    """Figures and tables that a source names; other places are separated by semicolons.

    >>> sorted(place_names("Konz & Mazurowski 2024, Figs. 2, 7 to 9, Tables 1 and 4"))
    ['Fig. 2', 'Fig. 7', 'Fig. 8', 'Fig. 9', 'Table 1', 'Table 4']
    >>> sorted(place_names("Prach & Lampert 2025, Sec. 12; Theorem 2"))
    ['Sec. 12', 'Theorem 2']
    """
    place = source.partition(", ")[2]
    found = {name for name in place.split("; ") if not re.match(r"Fig|Table", name)}
    for word, listed in re.findall(r"(Fig|Table)s?\.? (\d+(?:(?:,| and| to|, and) \d+)*)", source):
        numbers = {int(number) for number in re.findall(r"\d+", listed)}
        for first, last in re.findall(r"(\d+) to (\d+)", listed):
            numbers |= set(range(int(first), int(last)))
        found |= {f"{'Fig.' if word == 'Fig' else word} {number}" for number in numbers}
    return found


def _ours(row: Series, runs: DataFrame) -> Series:
    level = row.get("level")
    name = row["quantity"] if _empty(level) else f"{row['quantity']}@{float(level):g}"
    if name not in runs:
        return Series(dtype=float)
    for column in WHERE:
        if column in row and not _empty(row[column]):
            runs = runs[runs[column] == row[column]]
    runs = runs.dropna(subset=[name])
    if runs.empty:  # of most published rows: the views below take longer than all else here
        return Series(dtype=float)
    if name.startswith("data/"):  # of the images: measured once, however many networks
        runs = main_view(runs, isic=True).drop_duplicates(ONE_SET)
    else:
        runs = trained_view(runs, isic=True)
    if name in ("data/k_f", "data/k_f_rms"):
        runs = runs[runs.n == runs.n.max()]
    if name == "data/k_f":
        runs = runs[runs["size"] == PAPER_SIZE]
    return runs[name].astype(float)


def _empty(value: object) -> bool:
    return value is None or value != value or value == ""
