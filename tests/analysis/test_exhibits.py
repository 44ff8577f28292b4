"""What holds for the exhibits of all papers."""

import importlib
import inspect
import tomllib
from pathlib import Path

import pytest

from analysis.exhibits import PAPERS, discover
from conf.blocks import choices_of

EXPERIMENTS = Path(__file__).parents[2] / "conf" / "experiment"
EXHIBITS = [*discover("figures"), *discover("tables")]


def test_the_experiments_that_exhibits_ask_for_are_there():
    asked = {exhibit.experiment for exhibit in EXHIBITS}
    assert asked <= set(choices_of(EXPERIMENTS))  # variants included


def test_names_are_used_once_per_kind():
    for kind in ("figures", "tables"):
        names = [exhibit.name for exhibit in discover(kind)]
        assert not {name for name in names if names.count(name) > 1}


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: exhibit.name)
def test_every_exhibit_says_what_it_is_and_how_to_read_it(exhibit):
    assert exhibit.title
    assert exhibit.source
    assert exhibit.reading.startswith("Reading it: ")
    assert exhibit.requires


EXHIBIT = {"title", "source", "requires", "experiment", "maker", "options", "reading"}
CLAIM = {"statement", "source", "statistic", "claimed", "experiment", "decide", "options"}
KEYS = {"figures": EXHIBIT, "tables": EXHIBIT, "claims": CLAIM | {"published"}}


@pytest.mark.parametrize("file", PAPERS.glob("*/exhibits.toml"), ids=lambda file: file.parent.name)
def test_every_function_of_a_paper_exists_and_takes_its_options(file):
    for kind, entries in tomllib.loads(file.read_text()).items():
        for name, fields in entries.items():
            assert set(fields) <= KEYS[kind], f"{file}: {kind}.{name}"
            module, _, function = (fields.get("maker") or fields["decide"]).rpartition(".")
            found = getattr(importlib.import_module(module), function)
            inspect.signature(found).bind(None, **fields.get("options", {}))
