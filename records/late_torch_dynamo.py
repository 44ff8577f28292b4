"""Import `torch._dynamo`, torch's compiler, at its first use.

Lightning and `torch.optim` import it for every network, compiled or not: 1.5 of the 4.3 CPU seconds
of importing torch and Lightning. What they use of it does nothing without a compiled function.
"""

import importlib
import sys
from collections.abc import Callable, MutableSequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, spec_from_loader
from types import ModuleType
from typing import Any

NAME = "torch._dynamo"


class _Compiled(type):
    def __instancecheck__(cls, instance: object) -> bool:
        module = sys.modules.get(NAME)
        return not isinstance(module, _Later) and isinstance(instance, _real().OptimizedModule)


class _OptimizedModule(metaclass=_Compiled):
    """Lightning asks whether a network is an instance of it."""


class _Later(ModuleType):
    """Replaces `torch._dynamo`; any name but these imports the real module."""

    __path__: MutableSequence[str] = []  # noqa: RUF012  # a package; `_Parts` finds its modules
    OptimizedModule = _OptimizedModule

    @staticmethod
    def disable(function: Callable[..., Any], *_: Any, **__: Any) -> Callable[..., Any]:
        """The function, which is not to be compiled."""
        return function

    @staticmethod
    def graph_break() -> None:
        """Ends a compiled part; there is none."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # the import system reads these
            raise AttributeError(name)
        return getattr(_real(), name)


class _Parts:
    """Finds and hands over `torch._dynamo.<part>`, which is imported with the real package."""

    def __init__(self, part: ModuleType) -> None:
        self.part, self.spec = part, part.__spec__

    @classmethod
    def find_spec(cls, name: str, *_: Any) -> ModuleSpec | None:
        if not name.startswith(f"{NAME}."):
            return None
        _real()
        importlib.import_module(name)
        # The import system would execute a module again that appeared here in the meantime.
        return spec_from_loader(name, cls(sys.modules.pop(name)))  # type: ignore[arg-type]

    def create_module(self, _: ModuleSpec) -> ModuleType:
        return self.part

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not self.spec:  # some modules refuse to be changed at all
            module.__spec__ = self.spec


def delay_torch_dynamo() -> None:
    """Call it before torch is imported; it does nothing if torch is loaded already.

    >>> delay_torch_dynamo()
    >>> from torch._dynamo.config import recompile_limit
    >>> recompile_limit > 0
    True
    """
    torch = find_spec("torch")  # does not import it
    if "torch" in sys.modules or NAME in sys.modules or torch is None:
        return
    sys.modules[NAME] = _Later(NAME)
    sys.modules[NAME].__spec__ = PathFinder.find_spec(NAME, torch.submodule_search_locations)
    sys.meta_path.insert(0, _Parts)


def _real() -> ModuleType:
    if _Parts in sys.meta_path:
        sys.meta_path.remove(_Parts)
    if isinstance(sys.modules.get(NAME), _Later):
        del sys.modules[NAME]
    return importlib.import_module(NAME)
