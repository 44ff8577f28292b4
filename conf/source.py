"""Find the definition of a class or function by reading source files, without importing them.

Importing a network takes seconds for torch and executes code; reading its file takes a millisecond.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path

from records.provenance import ROOT

Node = ast.ClassDef | ast.FunctionDef


@dataclass(frozen=True)
class Definition:
    """A class or function in the module that defines it."""

    module: str
    node: Node

    @property
    def name(self) -> str:
        """Its own dotted name.

        >>> find_definition("torch.optim.SGD").name
        'torch.optim.sgd.SGD'
        """
        return f"{self.module}.{self.node.name}"


@cache
def find_definition(target: str) -> Definition | None:
    """Follow a dotted name to the file that defines it; None if no file does.

    Every part but the last must be a module with a file of its own, so a name cannot reach another
    module through the imports of one.

    >>> find_definition("torch.nn.functional.torch.hub.load") is None
    True
    """
    module, _, name = target.rpartition(".")
    is_name = module and all(part.isidentifier() for part in target.split("."))
    return _find(module, name, frozenset()) if is_name else None


def _find(module: str, name: str, seen: frozenset[str]) -> Definition | None:
    tree = None if f"{module}.{name}" in seen else parsed(module)
    if tree is None:
        return None
    seen |= {f"{module}.{name}"}  # ends the search if two modules import from each other
    for node in _statements(tree.body):
        if isinstance(node, Node) and node.name == name:
            return Definition(module, node)
        if not isinstance(node, ast.ImportFrom):
            continue
        source = _absolute(node, module)
        for alias in node.names:
            if alias.name == "*" and (found := _find(source, name, seen)):
                return found
            if alias.name != "*" and (alias.asname or alias.name) == name:
                return _find(source, alias.name, seen)
    return None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, also those inside `if` and `try`."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from _statements([*node.body, *node.orelse])


def _absolute(node: ast.ImportFrom, module: str) -> str:
    """The absolute name of the module in `from x import ...`, which may be relative."""
    if not node.level:
        return node.module or ""
    is_package = _file(module).name == "__init__.py"  # type: ignore[union-attr]
    parents = module.split(".")
    kept = parents[: len(parents) - node.level + is_package]
    return ".".join([*kept, *([node.module] if node.module else [])])


@cache
def parsed(module: str) -> ast.Module | None:
    """The syntax tree of a module; None if it has no Python file."""
    file = _file(module)
    return ast.parse(file.read_text(encoding="utf-8")) if file else None


@cache
def _file(module: str) -> Path | None:
    """The file of a module, found without importing its packages."""
    places: list[str] | None = [str(ROOT), *sys.path]
    file = None
    parts = module.split(".")
    for i in range(len(parts)):
        spec = PathFinder.find_spec(".".join(parts[: i + 1]), places)
        if spec is None:
            return None
        file, places = spec.origin, list(spec.submodule_search_locations or ())
    return Path(file) if file and file.endswith(".py") else None
