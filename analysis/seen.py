"""Published and reproduced results by exhibit, from the papers' pages.

Each page has a table with a column `figure or table`, which names exhibits in backticks, a column
that begins with `seen`, and one headed `published` or `the paper`.
"""

import re
from pathlib import Path

NAMES = "figure or table"
SEEN = ("seen",)
PUBLISHED = ("published", "the paper")


def by_exhibit(page: Path, headings: tuple[str, ...]) -> dict[str, list[str]]:
    """By exhibit: the cells of one column in the rows that name the exhibit."""
    found: dict[str, list[str]] = {}
    for row in rows(page.read_text()):
        heading = next((name for name in row if name.startswith(headings)), None)
        if heading is None or NAMES not in row or not row[heading]:
            continue
        for name in re.findall(r"`(\w+)`", row[NAMES]):
            found.setdefault(name, []).append(row[heading])
    return found


def rows(text: str) -> list[dict[str, str]]:
    """The rows of every table of a page, each by its headings."""
    found, headings = [], None
    for line in text.splitlines():
        if not line.startswith("|"):
            headings = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if headings is None:
            headings = cells
        elif set("".join(cells)) - set("-: "):
            found.append(dict(zip(headings, cells, strict=False)))
    return found
