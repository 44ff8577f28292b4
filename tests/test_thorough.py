"""The list of thorough tests names tests that exist."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.thorough import SOME, WHOLE

LISTED = [(file, name) for file, names in WHOLE.items() for name in names.split() if name != "*"]
LISTED += [(file, name) for file, names in SOME.items() for name in names]


@pytest.mark.parametrize("file", sorted({*WHOLE, *SOME}))
def test_the_file_is_there(file):
    assert (ROOT / file).is_file()


@pytest.mark.parametrize(("file", "name"), LISTED)
def test_it_is_defined_in_its_file(file, name):
    assert f"def {name}(" in (ROOT / file).read_text()


def test_the_default_suite_leaves_out_only_what_is_listed(pytestconfig):
    assert "not slow and not thorough" in pytestconfig.getini("addopts")


@pytest.mark.parametrize(("options", "whole"), [([], True), (["-m", "not thorough"], False)])
def test_a_command_for_the_accelerator_runs_all_its_checks(options, whole):
    words = ["pytest", "-n", "0", "--collect-only", "tests/accelerator", *options]
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ("test_checks_pass_on_the_device" in done.stdout) == whole
