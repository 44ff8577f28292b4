"""Where a number came from: versions, commit, machine."""

import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("torch", "pytorch-lightning", "torchmetrics", "hydra-core", "numpy", "scipy", "wandb")
ROOT = Path(__file__).parent.parent


@cache
def versions() -> dict[str, str]:
    """Python and the packages that numbers depend on; read from metadata, nothing is imported."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


@cache
def git() -> dict[str, str | bool | None]:
    """Commit of this code and whether it was changed since; None outside a checkout."""
    try:
        commit = _git("rev-parse", "HEAD")
        return {"commit": commit, "dirty": bool(_git("status", "--porcelain", "-uno"))}
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "dirty": None}


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout.strip()
