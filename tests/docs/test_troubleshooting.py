"""The messages that docs/troubleshooting.md quotes are those of the code."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "troubleshooting.md"
ROOMS = ("callbacks", "conf", "datamodules", "launchers", "records")
COMMANDS = ("pip ", "python ")
VALUE = "\0"  # where a message has a value
LEAST = 25  # letters of a message that are not values; shorter ones would match anything


def quoted(text: str) -> list[str]:
    """The indented lines that are no commands.

    >>> quoted("Text.\\n\\n    <key> failed.\\n    pip install x")
    ['<key> failed.']
    """
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    return [line for line in lines if not line.startswith(COMMANDS)]


def template(node: ast.AST) -> str:
    """A string, f-string or logging format of the code, with `VALUE` for each value."""
    if isinstance(node, ast.JoinedStr):
        parts = (v.value if isinstance(v, ast.Constant) else VALUE for v in node.values)
        return "".join(map(str, parts))
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"%[sd]|\{\w*\}", VALUE, node.value)
    return ""


@cache
def messages() -> re.Pattern[str]:
    """Matches every message that the code can print."""
    files = (file for room in ROOMS for file in (ROOT / room).rglob("*.py"))
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text())))
    found = {text for node in nodes if len((text := template(node)).replace(VALUE, "")) >= LEAST}
    return re.compile("|".join(re.escape(text).replace(re.escape(VALUE), ".+") for text in found))


@pytest.mark.parametrize("message", quoted(PAGE.read_text()))
def test_a_quoted_message_is_one_of_the_code(message):
    assert messages().fullmatch(message)


def test_other_messages_are_not():
    assert len(quoted(PAGE.read_text())) > 7
    assert not messages().fullmatch("<key> was done on different data (<what changed>); kept.")
