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
    """The words after `python launch.py`; comments and lines with placeholders are left out.

    Of a shell's variables those that stand for whole words are left out, others for a folder.

    >>> commands("    python launch.py -m n=1,2 $set  # two\\nand `python launch.py a=$HOME/b`")
    [['-m', 'n=1,2'], ['a=/folder/b']]
    """
    found = []
    for line in COMMAND.findall(text.replace("\\\n", " ")):
        words = [
            word
            for word in shlex.split(line.partition(";")[0], comments=True)[2:]
            if word[0] != "$" and word not in ("--plan", "--difficulty")
        ]
        words = [re.sub(r"\$\w+", "/folder", word) for word in words]
        if not any("<" in word or "..." in word for word in words):
            found.append(words)
    return found
