"""Show doctests as code on the API pages, wherever they are in a docstring."""

from typing import Any

from griffe import Extension, Object


class Doctests(Extension):
    """Puts a fence around every doctest, because Markdown would read its brackets as links."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called for everything that may have a docstring."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    r"""A docstring with its doctests between fences; a doctest ends at an empty line.

    >>> fenced("One.\n\n>>> 1\n1").splitlines()
    ['One.', '', '```pycon', '>>> 1', '1', '```']
    """
    lines: list[str] = []
    indent: str | None = None
    for line in [*text.splitlines(), ""]:
        if indent is None and line.lstrip().startswith(">>>"):
            indent = line[: len(line) - len(line.lstrip())]
            lines.append(f"{indent}```pycon")
        elif indent is not None and not line.strip():
            lines.append(f"{indent}```")
            indent = None
        lines.append(line)
    return "\n".join(lines[:-1])
