"""The checks notice a device argument that is missing in `metrics`: each is removed in turn.

Noticed means that an example of the module, of a module that imports it, or a check of
`check_branches` fails. Two kinds are not noticed because they do no harm, on CUDA neither: a tensor
that is only an index may be on the CPU, and so may a number.
"""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import metrics
from tests.accelerator import device
from tests.accelerator.both import differences, run_examples
from tests.accelerator.check_branches import BRANCHES, is_same
from tests.accelerator.mutations import mutated, places

device.register()
ROOT = Path(__file__).parents[2]
NAMES = sorted(m.name for m in pkgutil.walk_packages(metrics.__path__, "metrics.") if not m.ispkg)
MODULES = {name: importlib.import_module(name) for name in NAMES}
INDEX = "only an index"
HARMLESS = {  # part of the line: why its device does not matter
    "randperm(len(rows), generator=generator)[:share].to(rows.device)": INDEX,
    "member = torch.arange(len(labels), device=labels.device)": INDEX,
    "member = groups.unique(return_inverse=True)[1].to(labels.device)": INDEX,
    "places.round().long().to(ordered.device)": INDEX,
    "ranks = torch.linspace(0, most, count, device=ordered.device)": INDEX,
    "everyone = torch.arange(len(reference), device=reference.x.device)": INDEX,
    "orders = [torch.randperm(len(index), generator=generator).to(index.device)": INDEX,
    "torch.arange(c * h * w, device=matrix.device)": INDEX,
    "repeat_interleave(len(bodies[0])).to(rows.device)": INDEX,
    "torch.special.log_ndtr(-edge).to(density.device)": "a single number",
    "odd = torch.arange(len(parts), device=rows.device)": "weights, which `from_rows` moves",
}


def mutants() -> Iterator[object]:
    """Every place of every module that states a device and must."""
    for name, module in MODULES.items():
        lines = inspect.getsource(module).splitlines()
        for place in places(module):
            if not any(part in lines[place[0] - 1] for part in HARMLESS):
                short = name.removeprefix("metrics.")
                yield pytest.param(name, place, id=f"{short}:{place[0]}:{place[1]}")


@cache
def imported(name: str) -> set[str]:
    tree = ast.parse(inspect.getsource(MODULES[name]))
    return {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


def users(name: str) -> list[str]:
    """A module and those that import it, directly or not, the nearest first."""
    found = [name]
    for one in found:
        found += [user for user in NAMES if one in imported(user) and user not in found]
    return found


@cache
def on_cpu(module: ModuleType) -> list[object]:
    return run_examples(module, None)[0]


def notices(module: ModuleType) -> bool:
    """Whether an example of a module fails on the device."""
    try:
        found, failures = run_examples(module, "gpu:0")
    except (RuntimeError, TypeError, ValueError):
        return True
    return bool(failures) or bool(differences(on_cpu(module), found))


def branch_fails(name: str) -> bool:
    try:
        return not all(map(is_same, BRANCHES.get(name, [])))
    except (RuntimeError, TypeError, ValueError):
        return True


def noticed_by_others(name: str, line: int, column: int) -> bool:
    """Whether an example of another module fails, in a process that a mutant may end."""
    code = f"from {__name__} import others; others({name!r}, {line}, {column})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    return done.returncode != 0


def others(name: str, line: int, column: int) -> None:
    """Exit with 1 if a module that imports this one notices; line 0 removes nothing."""
    change = mutated(MODULES[name], (line, column)) if line else nullcontext()
    modules = [MODULES[user] for user in users(name)[1:]]
    for module in modules:
        on_cpu(module)
    with change:
        sys.exit(any(map(notices, modules)))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "place"), list(mutants()))
def test_a_missing_device_is_noticed(name, place):
    on_cpu(MODULES[name])
    with mutated(MODULES[name], place):
        noticed = notices(MODULES[name]) or branch_fails(name)
    assert noticed or noticed_by_others(name, *place)


@pytest.mark.slow
def test_nothing_is_noticed_where_nothing_is_missing():
    name = "metrics.functional.point_jacobian"
    assert not notices(MODULES[name])
    assert not noticed_by_others(name, 0, 0)
    assert not any(map(branch_fails, BRANCHES))


def test_lines_listed_as_harmless_exist():
    sources = [inspect.getsource(module) for module in MODULES.values()]
    assert not [part for part in HARMLESS if not any(part in source for source in sources)]
