"""The checks notice a forgotten `.to(device)`: each one in a probe is removed in turn."""

import importlib
import inspect
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from callbacks import evaluation, subject
from tests.accelerator import device
from tests.accelerator.check_probes import (
    test_probe_gives_the_numbers_of_the_cpu_and_moves_results_alone as check,
)
from tests.accelerator.probe_cases import cases, probe_classes

device.register()
MOVE = re.compile(r"\.to\((?:\w+\.)*device(?:, [\w.]+)?\)|(?<=\w), device=\w+\.device")


def mutants() -> Iterator[object]:
    """A module of probes, and a place in its source where tensors are moved."""
    modules = {probe.__module__ for probe in probe_classes()}
    for name in sorted(modules):
        source = inspect.getsource(importlib.import_module(name))
        for found in MOVE.finditer(source):
            line = source.count("\n", 0, found.start()) + 1
            yield pytest.param(name, found.span(), id=f"{name}:{line}")


def run_as(module: ModuleType, source: str) -> None:
    """Give a module another source."""
    exec(compile(source, inspect.getfile(module), "exec"), vars(module))


def is_noticed(module: str) -> bool:
    """Whether the check of some probe of this module fails."""
    for probe, options in cases():
        if probe.__module__ == module:
            try:
                check(probe, options)
            except (RuntimeError, AssertionError, TypeError):
                return True
    return False


@pytest.mark.parametrize(("name", "span"), list(mutants()))
def test_a_tensor_that_is_not_moved_is_noticed(name, span):
    module = importlib.import_module(name)
    source = inspect.getsource(module)
    run_as(module, source[: span[0]] + source[span[1] :])
    try:
        assert is_noticed(name)
    finally:
        run_as(module, source)


def test_images_that_are_not_moved_are_noticed(monkeypatch):
    def images(self, split, index=None):
        return split.images(index).to(self.dtype)

    monkeypatch.setattr(subject.Subject, "images", images)
    assert is_noticed(evaluation.__name__)


def test_there_are_places_to_forget():
    assert len(list(mutants())) >= 8
