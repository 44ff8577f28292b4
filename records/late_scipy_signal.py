"""Import `scipy.signal` at its first use.

torchmetrics imports it only to restore the name `hamming` for a library that we do not use: 0.6 of
the 3.3 CPU seconds of importing torch and Lightning.
"""

import importlib
import sys
from importlib.machinery import PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any

NAME = "scipy.signal"


class _Later(ModuleType):
    """Replaces `scipy.signal`; any name but `hamming` imports the real module."""

    hamming = None  # torchmetrics checks only that it exists

    def __getattr__(self, name: str) -> Any:
        # The import system reads these; `__path__` only to import a submodule.
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)
        if isinstance(sys.modules.get(NAME), _Later):
            del sys.modules[NAME]
        return getattr(importlib.import_module(NAME), name)


def delay_scipy_signal() -> None:
    """Call it before torch is imported; it does nothing if `scipy.signal` is loaded already.

    >>> delay_scipy_signal()
    >>> from scipy.signal import convolve
    >>> convolve([1, 2], [1, 1]).tolist()
    [1, 3, 2]
    """
    scipy = find_spec("scipy")  # does not import it, as `find_spec(NAME)` would
    spec = PathFinder.find_spec(NAME, scipy.submodule_search_locations if scipy else None)
    if NAME not in sys.modules and spec is not None:
        sys.modules[NAME] = _Later(NAME)
        sys.modules[NAME].__spec__ = spec
