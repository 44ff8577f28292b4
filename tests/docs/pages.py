"""What the documentation tells readers to run: code blocks and commands, page by page."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"(?:^\s*(?:\$ )?|`)(python launch\.py[^`\n]*)", re.MULTILINE)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def python_blocks(text: str) -> list[str]:
    return [body for language, body in FENCE.findall(text) if language == "python"]


def commands(text: str) -> list[list[str]]:
    """The words after `python launch.py`; comments and pages' placeholders (`<name>`) left out.

    >>> commands("    python launch.py -m n=1,2  # two\\nand `python launch.py n=3`")
    [['-m', 'n=1,2'], ['n=3']]
    """
    found = []
    for line in COMMAND.findall(text.replace("\\\n", " ")):
        words = shlex.split(line, comments=True)[2:]
        if not any("<" in word or "..." in word for word in words):
            found.append(words)
    return found
