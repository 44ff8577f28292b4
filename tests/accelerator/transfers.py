"""Counts what is copied from a device to the host, and what the host waits for."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch

SAVING: list[bool] = []  # not empty while `torch.save` writes a file


@dataclass
class Transfers:
    """Copies in each direction, as numbers of bytes in the order they happened."""

    to_host: list[int] = field(default_factory=list)
    to_device: list[int] = field(default_factory=list)
    between: list[int] = field(default_factory=list)  # from one device to another


COUNTERS: list[Transfers] = []


@contextmanager
def counted() -> Iterator[Transfers]:
    """Count the transfers inside."""
    counter = Transfers()
    COUNTERS.append(counter)
    try:
        yield counter
    finally:
        COUNTERS.remove(counter)


def count(source: torch.device, target: torch.device, size: int) -> None:
    """Count a copy of so many bytes."""
    if source == target:
        return
    for counter in COUNTERS:
        if target.type == "cpu":
            counter.to_host.append(size)
        elif source.type == "cpu":
            counter.to_device.append(size)
        else:
            counter.between.append(size)


def watch_saving() -> None:
    """Know when `torch.save` is at work, as opposed to sending objects to other processes."""
    save = torch.save

    def watched(*args, **kwargs):
        SAVING.append(True)
        try:
            return save(*args, **kwargs)
        finally:
            SAVING.pop()

    torch.save = watched
