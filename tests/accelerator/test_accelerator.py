"""Runs the checks on the device in a process of their own.

torch can register its private backend once in a process, and everything in it then sees a second
device; other tests must not. `pytest tests/accelerator/check_probes.py` runs one file directly.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHECKS = sorted(str(path) for path in HERE.glob("check_*.py"))


def pytest_alone(*arguments: str) -> subprocess.CompletedProcess[str]:
    """pytest in a process of its own, without workers."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_device_is_one_that_notices():
    done = pytest_alone(str(HERE / "check_device.py"))
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_checks_pass_on_the_device():  # thorough
    done = pytest_alone(*CHECKS)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.slow
def test_long_checks_pass_on_the_device():
    done = pytest_alone("-m", "slow", *CHECKS)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
