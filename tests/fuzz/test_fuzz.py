"""Mutated files: a reader's own error or a value, never a crash, a hang or a heap of memory."""

import contextlib
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutations import confined, mutations
from tests.fuzz.subjects import SUBJECTS
from tests.memory import peak_memory

MEMORY = 400 * 2**20  # bytes that a reader may use for a file of kilobytes

QUIET = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


def feed(subject, content, folder):
    """One file to one reader, which leaves everything around it as it was."""
    path = place(subject, folder)
    path.write_bytes(content)
    before = contents(folder)
    try:
        with peak_memory() as peak, confined():
            subject.read(path)
    finally:
        assert peak.bytes < MEMORY
        assert contents(folder) == before


def place(subject, folder):
    """Where its file goes; those that belong to it are there."""
    path = folder / "arrays" / subject.file  # some readers look at the folder above
    path.parent.mkdir(exist_ok=True)
    for name, good in subject.beside.items():
        (path.parent / name).resolve().parent.mkdir(exist_ok=True)
        (path.parent / name).resolve().write_bytes(good())
    return path


def contents(folder):
    return {p: p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}


def attack(name, folder, examples, derandomize):
    subject = SUBJECTS[name]
    if subject.is_good:
        feed(subject, subject.content(), folder)

    @settings(max_examples=examples, derandomize=derandomize, **QUIET)
    @given(content=mutations(subject.content()))
    def mutated(content: bytes) -> None:
        with contextlib.suppress(*subject.own):
            feed(subject, content, folder)

    mutated()


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.filterwarnings("ignore")
def test_a_few_mutated_files(name, tmp_path):
    attack(name, tmp_path, 40, derandomize=True)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.filterwarnings("ignore")
def test_a_pipe_or_device_in_the_place_of_a_file_is_not_waited_for(name, make, tmp_path):
    subject = SUBJECTS[name]
    path = place(subject, tmp_path)
    make(path)
    with contextlib.suppress(*subject.own), peak_memory() as peak, confined():
        subject.read(path)
    assert peak.bytes < MEMORY


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.filterwarnings("ignore")
def test_thousands_of_mutated_files(name, tmp_path):
    attack(name, tmp_path, 2000, derandomize=False)


@pytest.mark.filterwarnings("ignore")
@given(content=st.binary(max_size=600))
@settings(max_examples=30, derandomize=True, **QUIET)
def test_any_bytes_for_any_reader(content, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    for number, subject in enumerate(SUBJECTS.values()):
        own = folder / str(number)
        own.mkdir()
        with contextlib.suppress(*subject.own):
            feed(subject, content, own)
