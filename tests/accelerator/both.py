"""Runs the examples of docstrings on the CPU and on the device, and compares what functions return.

On the device every tensor that an example makes is there; what the product itself makes is where
the product puts it. So a function that makes a tensor without `device=` mixes devices and raises.
"""

import ast
import dataclasses
import doctest
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors
from torchmetrics import Metric

from tests.accelerator.device import NAME, DeviceTensor
from tests.accelerator.generators import one_stream

ROOT = Path(__file__).parents[2]
PRODUCT = tuple(
    str(ROOT / room)
    for room in ("metrics", "callbacks", "lightning_modules", "datamodules", "records")
)
TORCH = str(Path(torch.__file__).parent)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
Call = tuple[str, bool, list[Any]]  # function, whether it got a tensor of the device, what it gave


class StatedDevice(TorchFunctionMode):
    """Tensors and networks that are made outside the product are made on the device."""

    def __init__(self, device: str) -> None:
        super().__init__()
        self.device, self.factories = device, _device_constructors()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        made = func(*args, **kwargs)
        stated = kwargs.get("device") is not None or _in_product(sys._getframe(1))
        if func in self.factories and not stated:
            return made.detach().to(self.device).requires_grad_(made.requires_grad)
        return made


def _in_product(frame: FrameType | None) -> bool:
    """Whether the product's code, not an example's, calls torch here."""
    while frame is not None and frame.f_code.co_filename.startswith(TORCH):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(PRODUCT)


@contextmanager
def recorded(wanted: Callable[[CodeType], bool]) -> Iterator[list[Call]]:
    """Collect what the functions wanted return, in the order they do."""
    calls: list[Call] = []
    on_device: dict[FrameType, bool] = {}

    def profile(frame: FrameType, event: str, value: Any) -> None:
        if not wanted(frame.f_code) or event not in ("call", "return"):
            return
        if event == "call":
            on_device[frame] = any(_is_there(x) for x in list(frame.f_locals.values()))
        elif frame in on_device:
            name = f"{frame.f_globals['__name__']}.{frame.f_code.co_qualname}"
            calls.append((name, on_device.pop(frame) or _is_there(value), _copied(value)))

    sys.setprofile(profile)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def _is_there(value: Any) -> bool:
    """Whether a value has a tensor of the device in it."""
    if isinstance(value, Metric):
        return value.device.type == NAME
    if isinstance(value, nn.Module):
        return any(isinstance(p, DeviceTensor) for p in (*value.parameters(), *value.buffers()))
    if isinstance(value, FunctionType):  # a function of an example: what it can reach
        reached = {
            **inspect.getclosurevars(value).nonlocals,
            **inspect.getclosurevars(value).globals,
        }
        return any(_is_there(x) for x in reached.values() if not isinstance(x, FunctionType))
    return any(isinstance(x, DeviceTensor) for x in flat(value))


def flat(value: Any) -> list[Any]:
    """The tensors and numbers in a result, in order."""
    if isinstance(value, Tensor | float | int | str):
        return [value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = [getattr(value, f.name) for f in dataclasses.fields(value)]
    if isinstance(value, dict):
        value = list(value.values())
    return [x for part in value for x in flat(part)] if isinstance(value, list | tuple) else []


def _copied(value: Any) -> list[Any]:
    """What a result is now, whatever is added to it later."""
    return [x.detach().clone() if isinstance(x, Tensor) else x for x in flat(value)]


def differences(on_cpu: list[Call], on_device: list[Call]) -> list[str]:
    """Where the device's results are not the CPU's."""
    problems = []
    if [c[0] for c in on_cpu] != [c[0] for c in on_device]:
        problems.append(f"other calls: {[c[0] for c in on_cpu]}, {[c[0] for c in on_device]}")
    for (name, _, expected), (_, _, found) in zip(on_cpu, on_device, strict=False):
        same = len(expected) == len(found) and all(map(equal, expected, found))
        if not same:
            problems.append(f"{name}: {found} on the device, {expected} on the CPU")
    return problems


def equal(a: Any, b: Any) -> bool:
    """Same bits, NaN included."""
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        a, b = a.detach(), b.detach().cpu()
        return a.dtype == b.dtype and torch.equal(a.nan_to_num(-1.7), b.nan_to_num(-1.7))
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b)
    return type(a) is type(b) and a == b


def examples_of(module: ModuleType) -> list[doctest.DocTest]:
    """The docstrings of a module that have examples."""
    return [test for test in doctest.DocTestFinder().find(module, module.__name__) if test.examples]


def run_examples(module: ModuleType, device: str | None) -> tuple[list[Call], str]:
    """Run a module's examples, on a device if one is given; returns calls and failures."""
    failures: list[str] = []
    calls: list[Call] = []
    for test in examples_of(module):
        torch.manual_seed(0)
        if device:  # a metric is moved by whoever makes it
            test.globs |= {k: _moved(v, device) for k, v in test.globs.items() if _is_metric(v)}
        runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)

        mode = StatedDevice(device) if device else nullcontext()
        with mode, one_stream(), recorded(_is_compared) as some:
            runner.run(test, out=failures.append, clear_globs=False)
        calls += some
    return calls, "".join(failures)


@cache
def _is_compared(code: CodeType) -> bool:
    return code.co_filename.startswith(PRODUCT) and _is_public(code.co_qualname)


def _is_public(name: str) -> bool:
    return not name.startswith("_") and ("." not in name or name.endswith(".from_states"))


def _is_metric(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Metric)


def _moved(metric: type[Metric], device: str) -> Callable[..., Metric]:
    return lambda *args, **kwargs: metric(*args, **kwargs).to(device)


def public_functions(module: ModuleType) -> list[str]:
    """Functions of a module that take tensors or networks, by their annotations."""
    found = []
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef) and _is_public(node.name):
            hints = [ast.unparse(a.annotation) for a in node.args.args if a.annotation]
            tensors = [hint for hint in hints if "float" not in hint]  # not `list[float] | Tensor`
            if any("Tensor" in hint or "Module" in hint for hint in tensors):
                found.append(f"{module.__name__}.{node.name}")
        elif isinstance(node, ast.ClassDef) and _is_metric(getattr(module, node.name)):
            found.append(f"{module.__name__}.{node.name}.from_states")
    return found
