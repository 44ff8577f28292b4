"""Every function and class of `metrics`: on the device the CPU's numbers, to the bit.

Found by walking the package; the examples of their docstrings are what is run. Run by
`test_accelerator.py` in a process of its own.
"""

import importlib
import pkgutil
from functools import cache
from types import ModuleType

import pytest

import metrics
from tests.accelerator import device
from tests.accelerator.both import differences, examples_of, public_functions, run_examples

device.register()
WALKED = sorted(m.name for m in pkgutil.walk_packages(metrics.__path__, "metrics.") if not m.ispkg)
ABSTRACT = {
    f"metrics.result_metric.{base}.from_states" for base in ("ResultMetric", "PooledMetric")
}


@cache
def on_device(module: ModuleType) -> tuple[set[str], list[str]]:
    """What a module's examples called with tensors of the device, and what went wrong."""
    expected, on_cpu = run_examples(module, None)
    found, there = run_examples(module, "gpu:0")
    called = {name for name, is_there, _ in found if is_there}
    return called, [*on_cpu, *there, *differences(expected, found)]


@pytest.mark.parametrize("name", WALKED)
def test_examples_give_the_numbers_of_the_cpu(name):
    _, problems = on_device(importlib.import_module(name))
    assert not problems, "\n".join(map(str, problems))


def test_every_function_of_tensors_ran_on_the_device():
    modules = [importlib.import_module(name) for name in WALKED]
    ran = set().union(*(on_device(module)[0] for module in modules if examples_of(module)))
    public = {name for module in modules for name in public_functions(module)} - ABSTRACT
    assert len(public) > 80
    assert not public - ran, f"no example runs them on tensors: {sorted(public - ran)}"
