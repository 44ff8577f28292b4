"""One measurement on several processes: work is distributed by index, results are gathered."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import torch
from torch import Tensor
from torch import distributed as dist

from callbacks.subject import Subject

T = TypeVar("T")


def rank_batches(n: int, subject: Subject, batch: int = 256) -> list[Tensor]:
    """The batches of positions in 0..n-1 that this rank computes.

    The batches are the same on any number of processes, so that results are equal bit for bit; a
    rank has consecutive ones, so that `gather` returns them in order.

    >>> ranks = [Subject(None, 0, rank=rank, world=2) for rank in range(2)]
    >>> parts = [rank_batches(10, rank, batch=4) for rank in ranks]
    >>> [[batch.tolist() for batch in part] for part in parts]
    [[[0, 1, 2, 3]], [[4, 5, 6, 7], [8, 9]]]
    """
    batches = torch.arange(n).split(batch)
    start, stop = (
        len(batches) * rank // subject.world for rank in (subject.rank, subject.rank + 1)
    )
    return list(batches[start:stop])


def gather(tensor: Tensor, subject: Subject) -> Tensor:
    """The rows of all ranks, rank 0's first; ranks may have different numbers of rows, or none.

    A rank without rows must still have their shape and dtype: see `collect`.
    """
    if subject.world == 1:
        return tensor
    lengths = [torch.zeros(1, dtype=torch.long, device=tensor.device) for _ in range(subject.world)]
    dist.all_gather(lengths, torch.tensor([len(tensor)], device=tensor.device))
    counts = [int(length) for length in lengths]
    padded = tensor.new_zeros(max(counts), *tensor.shape[1:])
    padded[: len(tensor)] = tensor
    parts = [torch.empty_like(padded) for _ in counts]
    dist.all_gather(parts, padded)
    return torch.cat([part[:count] for part, count in zip(parts, counts, strict=True)])


def collect(
    part: Callable[[Tensor], Mapping[str, Tensor]], n: int, subject: Subject, batch: int = 256
) -> dict[str, Tensor]:
    """Rows of `part` for positions 0..n-1, in order, computed in batches over all ranks.

    `part` maps (B,) positions to tensors of B rows, by name. A failure on one rank is a failure on
    all, so that no rank hangs.

    >>> collect(lambda index: {"square": index**2}, 4, Subject(None, 0), batch=3)
    {'square': tensor([0, 1, 4, 9])}
    """
    mine = rank_batches(n, subject, batch)

    def compute() -> list[Mapping[str, Tensor]]:
        # a rank without batches computes one row for its shape and drops it
        return [part(index) for index in mine or [torch.zeros(1, dtype=torch.long)]]

    rows = on_all(compute, subject)
    own = {name: torch.cat([row[name] for row in rows]) for name in rows[0]}
    return {name: gather(values if mine else values[:0], subject) for name, values in own.items()}


def on_all(compute: Callable[[], T], subject: Subject) -> T:
    """`compute()` on every rank; if it fails on one, all raise."""
    if subject.world == 1:
        return compute()
    failure: Exception | None = None
    try:
        result = compute()
    except Exception as error:  # to be raised after the other ranks were informed
        failure = error
    reasons: list[str | None] = [None] * subject.world
    dist.all_gather_object(reasons, failure and f"{type(failure).__name__}: {failure}")
    if failure is not None:
        raise failure
    for rank, reason in enumerate(reasons):
        if reason is not None:
            raise RuntimeError(f"on process {rank}: {reason}")
    return result


def on_first(compute: Callable[[], T], subject: Subject) -> T:
    """`compute()` on rank 0; every rank returns its result or raises its failure."""
    if subject.world == 1:
        return compute()
    result = on_all(lambda: compute() if subject.rank == 0 else None, subject)
    holder = [result]
    dist.broadcast_object_list(holder, src=0)
    return holder[0]  # type: ignore[return-value]  # None on other ranks was just replaced
