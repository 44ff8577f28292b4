"""Versions of Python and packages, and the commit of this code."""

import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("torch", "pytorch-lightning", "torchmetrics", "hydra-core", "numpy", "scipy", "wandb")
ROOT = Path(__file__).parent.parent


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of packages that numbers depend on; nothing is imported."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


@cache
def git() -> dict[str, str | bool | None]:
    """Commit of this code and whether files differ from it; None outside a checkout."""
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
