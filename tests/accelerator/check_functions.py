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
ABSTRACT = {"metrics.result_metric.ResultMetric.from_states"}


@cache
def on_device(module: ModuleType) -> set[str]:
    """What a module's examples called with tensors of the device, after checking the results."""
    expected, failures = run_examples(module, None)
    assert not failures, failures
    found, failures = run_examples(module, "gpu:0")
    assert not failures, failures
    problems = differences(expected, found)
    assert not problems, "\n".join(problems)
    return {name for name, there, _ in found if there}


@pytest.mark.parametrize("name", WALKED)
def test_examples_give_the_numbers_of_the_cpu(name):
    module = importlib.import_module(name)
    on_device(module)


def test_every_function_of_tensors_ran_on_the_device():
    modules = [importlib.import_module(name) for name in WALKED]
    ran = set().union(*(on_device(module) for module in modules if examples_of(module)))
    public = {name for module in modules for name in public_functions(module)} - ABSTRACT
    assert len(public) > 80
    assert not public - ran, f"no example runs them on tensors: {sorted(public - ran)}"
