"""Random numbers of the device: generators of its own, seeded with torch's."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary

import torch

# By address, because torch hands operators a new Python object of a generator.
KNOWN: WeakValueDictionary[int, "Generator"] = WeakValueDictionary()

ONE_STREAM: list[bool] = []  # not empty while devices draw from the CPU's generator


class Generator(torch._C.Generator):
    """A generator of any device. Those of `gpu` draw the CPU's numbers, apart from the CPU's."""

    def __new__(cls, device: torch.device | str = "cpu") -> "Generator":
        generator = super().__new__(cls)
        generator.where = torch.device(device)
        if generator.where.type != "cpu" and generator.where.index is None:
            generator.where = torch.device(generator.where.type, 0)
        KNOWN[generator._cdata] = generator
        return generator

    def __init__(self, device: torch.device | str = "cpu") -> None: ...

    @property
    def device(self) -> torch.device:
        return self.where


class BackendModule:
    """What torch asks of `torch.gpu`."""

    def __init__(self, devices: int) -> None:
        self.devices = devices
        self.current = 0
        self.generators = [Generator(f"privateuseone:{i}") for i in range(devices)]

    def is_initialized(self) -> bool:
        return True

    def is_available(self) -> bool:
        return True

    def _is_in_bad_fork(self) -> bool:
        return False

    def device_count(self) -> int:
        return self.devices

    def current_device(self) -> int:
        return self.current

    def set_device(self, device: Any) -> None:
        self.current = torch.device(device).index or 0

    def synchronize(self, device: Any = None) -> None: ...

    def empty_cache(self) -> None: ...

    def manual_seed_all(self, seed: int) -> None:
        for generator in self.generators:
            generator.manual_seed(seed)

    def manual_seed(self, seed: int) -> None:
        self.generators[self.current].manual_seed(seed)

    def get_rng_state(self, device: Any = None) -> torch.Tensor:
        return self.generators[self._index(device)].get_state()

    def set_rng_state(self, state: torch.Tensor, device: Any = None) -> None:
        self.generators[self._index(device)].set_state(state)

    def _index(self, device: Any) -> int:
        if isinstance(device, int):
            return device
        index = None if device is None else torch.device(device).index
        return self.current if index is None else index

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        return [torch.float16, torch.bfloat16]


@contextmanager
def one_stream() -> Iterator[None]:
    """Inside, the device draws from the CPU's generator, so that any mixture has its numbers."""
    ONE_STREAM.append(True)
    try:
        yield
    finally:
        ONE_STREAM.pop()


@contextmanager
def drawn_on(device: torch.device, func: Any, kwargs: dict[str, Any]) -> Iterator[None]:
    """Inside, what an operator draws comes from a generator of the device."""
    given = kwargs.get("generator")
    if given is not None:
        found = KNOWN[given._cdata].device.type if given._cdata in KNOWN else "cpu"
        if found != device.type:
            raise RuntimeError(
                f"Expected a '{device.type}' device type for generator but found '{found}'"
            )
    draws = torch.Tag.nondeterministic_seeded in func.tags and given is None
    if not draws or device.type == "cpu" or ONE_STREAM:
        yield
        return
    own, host = torch.gpu.generators[device.index], torch.default_generator
    before = host.get_state()
    host.set_state(own.get_state())
    try:
        yield
        own.set_state(host.get_state())
    finally:
        host.set_state(before)
