"""Data flows one way: which room may import which. The imports are read, not run."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "metrics": set(),
    "records": set(),
    "conf": {"records"},
    "datamodules": {"metrics", "records", "display"},  # data are made along geometries
    "lightning_modules": {"records"},
    "callbacks": {"metrics", "records", "display"},
    "display": {"records"},
    "analysis": {"metrics", "records", "display"},
    "launchers": {
        "analysis",
        "conf",
        "datamodules",
        "lightning_modules",
        "callbacks",
        "metrics",
        "records",
        "display",
    },
}
ROOMS = set(MAY_IMPORT)
SOURCE = sorted({*ROOMS, "benchmarks", "examples", "docs"})
# Every room may name the types that data come in.
DATA_TYPES = {
    *("datamodules.spec", "datamodules.split"),
    *("datamodules.source_images", "datamodules.scanned_images"),
}

# Which room builds what the files of a configuration group name. Files of other groups, such as
# experiments, change nodes of these.
BUILT_BY = {
    "augmentation": "datamodules",
    "corruption": "datamodules",
    "data": "datamodules",
    "geometry": "datamodules",
    "task": "datamodules",
    "loss": "lightning_modules",
    "model": "lightning_modules",
    "optimizer": "lightning_modules",
    "schedule": "lightning_modules",
    "callbacks": "callbacks",
    "logger": "callbacks",
    "stop": "callbacks",
    "hydra": "launchers",
}
TARGET = re.compile(r"\b_target_: *[\"']?(\w+)")


def imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module not in DATA_TYPES:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_room_imports_only_what_it_hands_data_to(room):
    for path in (ROOT / room).rglob("*.py"):
        foreign = (imports(path) & ROOMS) - MAY_IMPORT[room] - {room}
        assert not foreign, f"{path.relative_to(ROOT)} imports {', '.join(sorted(foreign))}"


def targets(group: str) -> dict[str, set[Path]]:
    """The first word of every `_target_` in a group's files, and where it stands."""
    found: dict[str, set[Path]] = {}
    for path in (ROOT / "conf" / group).rglob("*.yaml"):
        for name in TARGET.findall(path.read_text()):
            found.setdefault(name, set()).add(path.relative_to(ROOT))
    return found


@pytest.mark.parametrize("group", sorted(BUILT_BY))
def test_a_configuration_names_only_what_its_room_may_import(group):
    """A `_target_` is an import that Hydra makes: data that name a callback import it."""
    room = BUILT_BY[group]
    for name, files in targets(group).items():
        allowed = name not in ROOMS - MAY_IMPORT[room] - {room}
        assert allowed, f"{', '.join(map(str, files))}: {room} may not import {name}"


def test_every_group_whose_files_are_built_belongs_to_a_room():
    for path in (ROOT / "conf").rglob("*.yaml"):
        if found := re.search(r"^_target_: *(\w+)", path.read_text(), re.MULTILINE):
            group = path.relative_to(ROOT / "conf").parts[0]
            assert group in BUILT_BY or found[1] not in ROOMS, f"whose is {group}?"


@pytest.mark.parametrize("module", ["pytorch_lightning", "hydra", "omegaconf", "wandb"])
def test_metrics_know_nothing_of_the_stack_around_them(module):
    for path in (ROOT / "metrics").rglob("*.py"):
        assert module not in imports(path), path


def test_probes_do_not_draw():
    """`subject` names the type of a figure, `run_record` writes it; the drawing is in `figures`."""
    for path in (ROOT / "callbacks").glob("*.py"):
        if path.name not in ("subject.py", "run_record.py"):
            assert "matplotlib" not in imports(path), path


def test_records_and_conf_stay_light():
    """A finished run is recognised before torch is imported."""
    for room in ("records", "conf", "display"):
        for path in (ROOT / room).rglob("*.py"):
            assert not imports(path) & {"torch", "pytorch_lightning", "wandb", "sklearn"}, path


def test_no_file_outgrows_one_concept():
    for path in ROOT.rglob("*.py"):
        if not {".venv", "build", "tests"} & set(path.relative_to(ROOT).parts):
            lines = len(path.read_text().splitlines())
            assert lines <= 300, f"{path.relative_to(ROOT)} has {lines} lines"


BODY, PARAMETERS = 40, 12


def functions(path: Path) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function of a file, by its name and that of its class."""
    for parent in ast.walk(ast.parse(path.read_text())):
        owner = f"{parent.name}." if isinstance(parent, ast.ClassDef) else ""
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, ast.FunctionDef):
                yield f"{path.relative_to(ROOT)}: {owner}{node.name}", node


def size(function: ast.FunctionDef) -> tuple[int, int]:
    """Lines of the body without its docstring, and parameters without `self`."""
    has_docstring = ast.get_docstring(function) is not None
    body = function.body[has_docstring:]
    lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
    found = function.args
    names = [one.arg for one in (*found.posonlyargs, *found.args, *found.kwonlyargs)]
    return lines, len([name for name in names if name not in ("self", "cls")])


def test_functions_fit_on_a_screen():
    long = {}
    for path in [ROOT / "launch.py", *(p for room in SOURCE for p in (ROOT / room).rglob("*.py"))]:
        for name, function in functions(path):
            lines, parameters = size(function)
            if lines > BODY or parameters > PARAMETERS:
                long[name] = f"{lines} lines, {parameters} parameters"
    assert not long
