"""Private modules and names of Hydra, Lightning and torch: each with a reason, each still there."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from omegaconf import AnyNode, DictConfig, ListConfig

ROOT = Path(__file__).parent.parent
LIBRARIES = ("hydra", "omegaconf", "pytorch_lightning", "lightning_fabric", "torch", "wandb")
FOREIGN = {"tests", "build", ".venv", "docs"}


def sources() -> Iterator[tuple[Path, ast.Module]]:
    """Our files, parsed."""
    for path in ROOT.rglob("*.py"):
        if not FOREIGN & set(path.relative_to(ROOT).parts):
            yield path, ast.parse(path.read_text())


def private_imports() -> Iterator[tuple[Path, int, str, str]]:
    """File, line, module and name of every one."""
    for path, tree in sources():
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            parts = node.module.split(".")
            for alias in node.names if parts[0] in LIBRARIES else ():
                if any(part.startswith("_") for part in (*parts, alias.name)):
                    yield path, node.lineno, node.module, alias.name


def private_names_of_nodes() -> Iterator[tuple[Path, int, str]]:
    """File, line and name of every use of a private method of OmegaConf's nodes."""
    private = {
        name
        for kind in (DictConfig, ListConfig, AnyNode)
        for name in dir(kind)
        if name.startswith("_") and not name.startswith("__")
    }
    for path, tree in sources():
        for node in ast.walk(tree):
            is_own = isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "cls")
            if isinstance(node, ast.Attribute) and node.attr in private and not is_own:
                yield path, node.lineno, node.attr


FOUND = sorted(private_imports())
ON_NODES = sorted(private_names_of_nodes())


@pytest.mark.parametrize(
    ("path", "line", "module", "name"), FOUND, ids=[f"{f.stem}-{name}" for f, _, _, name in FOUND]
)
def test_a_private_import_has_a_reason_and_exists(path, line, module, name):
    assert has_comment(path, line), f"{path.relative_to(ROOT)}:{line} imports {name}: no reason"
    assert hasattr(importlib.import_module(module), name)


@pytest.mark.parametrize(("path", "line", "name"), ON_NODES)
def test_a_private_method_of_a_node_has_a_reason(path, line, name):
    assert has_comment(path, line), f"{path.relative_to(ROOT)}:{line} uses {name}: no reason"


def has_comment(path: Path, line: int) -> bool:
    """Whether a line has a comment, or the line before it is one."""
    lines = path.read_text().splitlines()
    return "#" in lines[line - 1] or lines[line - 2].lstrip().startswith("#")


def test_hydra_s_parser_and_omegaconf_s_nodes_are_among_them():
    """Otherwise nothing is looked at."""
    assert any(name == "get_args_parser" for *_, name in FOUND)
    assert {name for _, _, name in ON_NODES} == {"_get_node", "_value"}  # of conf/overrides.py


def private_attributes(room: str) -> Iterator[tuple[Path, int, str]]:
    """File, line and name of every private attribute of another object."""
    for path in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
                own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
                if not own and not node.attr.startswith("__"):
                    yield path, node.lineno, node.attr


def test_a_private_attribute_has_a_reason():
    """In the analysis; that W&B's workspace still has its own, tests/analysis/test_dashboard.py."""
    found = list(private_attributes("analysis"))
    assert [name for *_, name in found] == ["_spec"]
    for path, line, name in found:
        assert f"# `{name}`" in path.read_text().splitlines()[line - 2], f"{path}:{line}"
