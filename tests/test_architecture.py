"""Data flows one way: which room may import which. The imports are read, not run."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "metrics": set(),
    "records": set(),
    "conf": {"records"},
    "datamodules": {"records"},
    "lightning_modules": {"records"},
    "callbacks": {"metrics", "records"},
    "analysis": {"metrics", "records"},
    "launchers": {"conf", "datamodules", "lightning_modules", "callbacks", "records"},
}
ROOMS = set(MAY_IMPORT)


def imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_room_imports_only_what_it_hands_data_to(room):
    for path in (ROOT / room).rglob("*.py"):
        foreign = (imports(path) & ROOMS) - MAY_IMPORT[room] - {room}
        assert not foreign, f"{path.relative_to(ROOT)} imports {', '.join(sorted(foreign))}"


@pytest.mark.parametrize("module", ["pytorch_lightning", "hydra", "omegaconf", "wandb"])
def test_metrics_know_nothing_of_the_stack_around_them(module):
    for path in (ROOT / "metrics").rglob("*.py"):
        assert module not in imports(path), path


def test_records_and_conf_stay_light():
    """A finished run is recognised before torch is imported."""
    for room in ("records", "conf"):
        for path in (ROOT / room).rglob("*.py"):
            assert not imports(path) & {"torch", "pytorch_lightning", "wandb", "sklearn"}, path


def test_no_file_outgrows_one_concept():
    for path in ROOT.rglob("*.py"):
        if not {".venv", "build", "tests"} & set(path.relative_to(ROOT).parts):
            lines = len(path.read_text().splitlines())
            assert lines <= 300, f"{path.relative_to(ROOT)} has {lines} lines"
