"""The list of thorough tests names tests that exist."""

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
