"""Import `torch._dynamo`, torch's compiler, and others at their first use.

Lightning and `torch.optim` import the compiler for every network, compiled or not; torchmetrics
imports `scipy.signal` to restore the name `hamming` for a library that we do not use; torch imports
`torch.export`. They take 1.5, 0.6 and 0.06 CPU seconds.
"""

import contextlib
import gc
import importlib
import sys
from collections.abc import Callable, Iterator, MutableSequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, spec_from_loader
from types import ModuleType
from typing import Any

DYNAMO, SIGNAL, EXPORT = "torch._dynamo", "scipy.signal", "torch.export"


class _Later(ModuleType):
    """Replaces a module; any name that it does not have itself imports the real one."""

    def __getattr__(self, name: str) -> Any:
        # The import system reads these; `__path__` only to import a submodule.
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)
        return getattr(_real(self.__name__), name)


class _Signal(_Later):
    hamming = None  # torchmetrics checks only that it exists


class _Compiled(type):
    def __instancecheck__(cls, instance: object) -> bool:
        is_loaded = not isinstance(sys.modules.get(DYNAMO), _Later)
        return is_loaded and isinstance(instance, _real(DYNAMO).OptimizedModule)


class _OptimizedModule(metaclass=_Compiled):
    """Lightning asks whether a network is an instance of it."""


class _Dynamo(_Later):
    __path__: MutableSequence[str] = []  # noqa: RUF012  # a package; `_Parts` finds its modules
    OptimizedModule = _OptimizedModule

    @staticmethod
    def disable(fn: Callable[..., Any] | None = None, *_: Any, **__: Any) -> Callable[..., Any]:
        """The function, which is not to be compiled; without one, a decorator."""
        return (lambda decorated: decorated) if fn is None else fn

    @staticmethod
    def graph_break(msg: str = "") -> None:
        """Ends a compiled part; there is none."""


class _Parts:
    """Finds and hands over `torch._dynamo.<part>`, which is imported with the real package."""

    def __init__(self, part: ModuleType) -> None:
        self.part, self.spec = part, part.__spec__

    @classmethod
    def find_spec(cls, name: str, *_: Any) -> ModuleSpec | None:
        if not name.startswith(f"{DYNAMO}."):
            return None
        _real(DYNAMO)
        importlib.import_module(name)
        # The import system would execute a module again that appeared here in the meantime.
        return spec_from_loader(name, cls(sys.modules.pop(name)))  # type: ignore[arg-type]

    def create_module(self, _: ModuleSpec) -> ModuleType:
        return self.part

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not self.spec:  # some modules refuse to be changed at all
            module.__spec__ = self.spec


def delay_imports() -> None:
    """Call it before torch is imported; modules that are loaded already stay.

    >>> delay_imports()
    >>> from scipy.signal import convolve
    >>> convolve([1, 2], [1, 1]).tolist()
    [1, 3, 2]
    >>> from torch._dynamo.config import recompile_limit
    >>> recompile_limit > 0
    True
    """
    if "torch" not in sys.modules and _replace(_Dynamo(DYNAMO)):
        sys.meta_path.insert(0, _Parts)
        _replace(_Later(EXPORT))
    _replace(_Signal(SIGNAL))


@contextlib.contextmanager
def all_kept() -> Iterator[None]:
    """Import without garbage collection; nothing that exists by then is searched for garbage later.

    None of half a million new objects is garbage, and searching them takes 0.5 CPU seconds.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextlib.contextmanager
def collected_once() -> Iterator[None]:
    """Collect garbage once, at the end, and only what is new.

    A figure is 10,000 to 40,000 objects that refer to each other, which the collector would search
    again and again while they are made: 0.9 of 8 CPU seconds of a report with 18 figures.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
        gc.collect(0)  # what is older stays: a search of all objects takes 0.03 s


def _replace(module: _Later) -> bool:
    """Whether a module that exists, and is not loaded, is replaced."""
    package = find_spec(module.__name__.split(".")[0])  # imports nothing, for a top-level name
    if package is None or module.__name__ in sys.modules:
        return False
    module.__spec__ = PathFinder.find_spec(module.__name__, package.submodule_search_locations)
    sys.modules[module.__name__] = module
    return True


def _real(name: str) -> ModuleType:
    if name == DYNAMO and _Parts in sys.meta_path:
        sys.meta_path.remove(_Parts)
    if isinstance(sys.modules.get(name), _Later):
        del sys.modules[name]
    return importlib.import_module(name)
