"""What came out here, exhibit by exhibit, as the pages of the papers tell it.

Each page has a table with a column `figure or table`, which names exhibits in backticks, and a
column that begins with `seen`. The atlas repeats the row, so that it is written once.
"""

import re
from pathlib import Path

NAMES = "figure or table"
SEEN = "seen"


def seen(page: Path) -> dict[str, list[str]]:
    """By the name of the exhibit: what each row that names it says was seen."""
    found: dict[str, list[str]] = {}
    for row in rows(page.read_text()):
        heading = next((name for name in row if name.startswith(SEEN)), None)
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
