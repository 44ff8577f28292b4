"""Removes single device arguments from the code of a module, to see which checks notice."""

import ast
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType


def places(module: ModuleType) -> list[tuple[int, int]]:
    """Line and column of every call in a module that states a device."""
    calls = [n for n in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(n, ast.Call)]
    return sorted((n.lineno, n.end_col_offset or 0) for n in calls if _states_device(n))


@contextmanager
def mutated(module: ModuleType, place: tuple[int, int]) -> Iterator[None]:
    """Run a module without one of its device arguments, whoever has imported its functions."""
    tree = _Forgetful(place).visit(ast.parse(inspect.getsource(module)))
    changed = compile(ast.fix_missing_locations(tree), inspect.getfile(module), "exec")
    codes = dict(_codes(changed))
    swapped = {f: f.__code__ for f in _functions(module) if f.__code__ != codes[_name(f)]}
    assert swapped, f"{module.__name__}:{place}: not inside a function"
    try:
        for function in swapped:
            function.__code__ = codes[_name(function)]
        yield
    finally:
        for function, code in swapped.items():
            function.__code__ = code


def _states_device(call: ast.Call) -> bool:
    """`f(..., device=d)`, `x.to(y.device)` or `x.to(y)` with a tensor y."""
    if any(keyword.arg == "device" for keyword in call.keywords):
        return True
    moves = isinstance(call.func, ast.Attribute) and call.func.attr == "to" and bool(call.args)
    return moves and "dtype" not in ast.unparse(call.args[0]).split(".") and not _is_dtype(call)


def _is_dtype(call: ast.Call) -> bool:
    """`x.to(torch.float64)`, or `x.to(dtype)` and `x.to("cpu")`."""
    first = ast.unparse(call.args[0])
    return first.startswith(("torch.", "dtype", "'"))


class _Forgetful(ast.NodeTransformer):
    """Removes what one call says of the device."""

    def __init__(self, place: tuple[int, int]) -> None:
        self.place = place

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if (node.lineno, node.end_col_offset) != self.place or not _states_device(node):
            return node
        kept = [keyword for keyword in node.keywords if keyword.arg != "device"]
        if len(kept) < len(node.keywords):
            node.keywords = kept
            return node
        assert isinstance(node.func, ast.Attribute)
        first, *rest = node.args
        if not ast.unparse(first).endswith("device"):  # x.to(y): the dtype alone
            rest = [ast.Attribute(first, "dtype", ast.Load())]
        node.args = rest
        return node if rest else node.func.value


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant.co_qualname, constant
            yield from _codes(constant)


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """Functions and methods that a module defines."""
    for value in list(vars(module).values()):
        if getattr(value, "__module__", None) != module.__name__:
            continue
        for member in vars(value).values() if isinstance(value, type) else [value]:
            function = getattr(member, "fget", getattr(member, "__func__", member))
            function = inspect.unwrap(function) if callable(function) else function
            if isinstance(function, FunctionType) and _own(function, module):
                yield function


def _own(function: FunctionType, module: ModuleType) -> bool:
    return function.__code__.co_filename == inspect.getfile(module)


def _name(function: FunctionType) -> str:
    return function.__code__.co_qualname
