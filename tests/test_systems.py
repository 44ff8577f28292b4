"""What only some systems have is imported behind a look at which system this is."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = (
    "conf", "records", "display", "metrics", "datamodules", "lightning_modules", "callbacks",
    "launchers", "analysis",
)  # fmt: skip
POSIX_ONLY = {"fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "posix", "syslog"}
SOURCES = [ROOT / "launch.py", *(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))]


def unguarded(source: str) -> set[str]:
    """Modules of POSIX systems alone that are imported outside an `if sys.platform ...`."""
    found, todo = set(), [ast.parse(source)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        if not (isinstance(node, ast.If) and "sys.platform" in ast.unparse(node.test)):
            todo += ast.iter_child_nodes(node)
    return found & POSIX_ONLY


def test_no_module_needs_what_windows_does_not_have():
    assert len(SOURCES) > 200
    assert {path: found for path in SOURCES if (found := unguarded(path.read_text()))} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import fcntl", {"fcntl"}),
        ("def f():\n    from resource import getrusage", {"resource"}),
        ("import sys\nif sys.platform != 'win32':\n    import fcntl", set()),
    ],
)
def test_the_check_sees_imports_wherever_they_stand(source, found):
    assert unguarded(source) == found
