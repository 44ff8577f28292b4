"""Nothing in the default install may bring torchvision: its presence breaks torchmetrics on CPU."""

import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent


def closure() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    todo, seen = [Requirement(line) for line in project["dependencies"]], set()
    while todo:
        requirement = todo.pop()
        name = requirement.name.lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        try:
            needed = distribution(name).requires or []
        except PackageNotFoundError:
            continue  # not for this platform
        for line in needed:
            further = Requirement(line)
            if further.marker is None or further.marker.evaluate({"extra": ""}):
                todo.append(further)
    return seen


def test_the_closure_of_the_default_install_has_no_torchvision():
    found = closure()
    assert {"torch", "pytorch-lightning", "hydra-core"} <= found
    assert not found & {"torchvision", "timm", "torchattacks", "medmnist", "robustbench"}


def test_every_bound_says_why():
    text = (ROOT / "pyproject.toml").read_text()
    lines = text[text.index("dependencies = [") : text.index("[project.optional")].splitlines()
    bounds = [line for line in lines if line.strip().startswith('"')]
    assert len(bounds) > 10
    assert all("#" in line for line in bounds)


def test_importing_everything_leaves_torchvision_out():
    code = (
        "import pkgutil, importlib, sys\n"
        "rooms = 'conf records datamodules lightning_modules callbacks metrics analysis'\n"
        "for room in rooms.split():\n"
        "    package = importlib.import_module(room)\n"
        "    for m in pkgutil.walk_packages(package.__path__, room + '.'):\n"
        "        if not m.name.endswith('__main__'): importlib.import_module(m.name)\n"
        "assert 'torchvision' not in sys.modules\n"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0
