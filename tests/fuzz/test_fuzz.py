"""Mutated files: a reader's own error or a value, never a crash, a hang or a heap of memory."""

import contextlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutations import confined, mutations
from tests.fuzz.subjects import SUBJECTS

QUIET = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


def attack(name, folder, examples, derandomize):
    subject = SUBJECTS[name]
    parent = folder / "arrays"  # some readers look at the folder above
    parent.mkdir()
    path = parent / subject.file
    path.write_bytes(subject.content())
    if subject.is_good:
        subject.read(path)
    before = set(folder.iterdir())

    @settings(max_examples=examples, derandomize=derandomize, **QUIET)
    @given(content=mutations(subject.content()))
    def mutated(content: bytes) -> None:
        path.write_bytes(content)
        with confined(), contextlib.suppress(*subject.own):
            subject.read(path)

    mutated()
    assert set(folder.iterdir()) == before  # nothing was written outside


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.filterwarnings("ignore")
def test_a_few_mutated_files(name, tmp_path):
    attack(name, tmp_path, 40, derandomize=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.filterwarnings("ignore")
def test_thousands_of_mutated_files(name, tmp_path):
    attack(name, tmp_path, 2000, derandomize=False)


@pytest.mark.filterwarnings("ignore")
@given(content=st.binary(max_size=600))
@settings(max_examples=60, derandomize=True, **QUIET)
def test_any_bytes_for_any_reader(content, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any") / "arrays"
    folder.mkdir()
    for subject in SUBJECTS.values():
        path = folder / subject.file
        path.write_bytes(content)
        with confined(), contextlib.suppress(*subject.own):
            subject.read(path)
        path.unlink()
