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


def test_every_maker_is_a_function_that_takes_its_options():
    keys = {"title", "source", "requires", "experiment", "maker", "options", "reading"}
    for file in PAPERS.glob("*.toml"):
        for kind, listed in tomllib.loads(file.read_text()).items():
            for name, fields in listed.items():
                assert set(fields) <= keys, f"{file.name}: {kind}.{name}"
                module, _, function = fields["maker"].rpartition(".")
                maker = getattr(importlib.import_module(module), function)
                inspect.signature(maker).bind(None, **fields.get("options", {}))
