"""What every metric class must keep: one batch or many, any order, pickled, on two processes.

def test_contract():
    check_contract(lambda: TwoNNDimension(), batches)     # batches: list of update(...) arguments
"""

import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import Tensor
from torchmetrics import Metric

Batch = tuple[Tensor, ...]


def as_tensors(value: object) -> list[Tensor]:
    """The numbers of a metric's result, whatever its shape: tensor, dict or result dataclass."""
    if hasattr(value, "scalars"):
        value = value.scalars()
    if isinstance(value, dict):
        return [torch.as_tensor(value[name], dtype=torch.float64) for name in sorted(value)]
    return [torch.as_tensor(value, dtype=torch.float64)]


def assert_same(actual: object, expected: object, rtol: float) -> None:
    for a, e in zip(as_tensors(actual), as_tensors(expected), strict=True):
        torch.testing.assert_close(a, e, rtol=rtol, atol=1e-12, equal_nan=True)


def result_of(metric: Metric, batches: list[Batch]) -> object:
    for batch in batches:
        metric.update(*batch)
    return metric.compute()


def _one_process(rank: int, make: Callable[[], Metric], batches: list[Batch], folder: str) -> None:
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=2
    )
    numbers = as_tensors(result_of(make(), batches[rank::2]))
    torch.save(numbers, Path(folder) / f"{rank}.pt")
    dist.destroy_process_group()


def check_contract(
    make: Callable[[], Metric],
    batches: list[Batch],
    rtol: float = 1e-6,
    any_order: bool = True,
    processes: bool = True,
) -> None:
    """Assert the contract for `make()` fed with `batches` (tuples of tensors)."""
    expected = result_of(make(), batches)

    whole = tuple(torch.cat(column) for column in zip(*batches, strict=True))
    assert_same(result_of(make(), [whole]), expected, rtol)

    if any_order:
        assert_same(result_of(make(), batches[::-1]), expected, rtol)

    half = make()
    for batch in batches[: len(batches) // 2]:
        half.update(*batch)
    restored = pickle.loads(pickle.dumps(half))
    assert_same(result_of(restored, batches[len(batches) // 2 :]), expected, rtol)

    doubled = [
        tuple(t.double() if t.is_floating_point() else t for t in batch) for batch in batches
    ]
    assert_same(result_of(make(), doubled), expected, max(rtol, 1e-5))

    metric = make()
    result_of(metric, batches)
    metric.reset()
    assert_same(result_of(metric, batches), expected, rtol)

    if processes:  # fork: `make` may be a lambda; each of 2 ranks sees every other batch
        with tempfile.TemporaryDirectory() as folder:
            mp.start_processes(
                _one_process, args=(make, batches, folder), nprocs=2, start_method="fork"
            )
            for rank in range(2):
                for a, e in zip(
                    torch.load(Path(folder) / f"{rank}.pt"), as_tensors(expected), strict=True
                ):
                    torch.testing.assert_close(a, e, rtol=rtol, atol=1e-12, equal_nan=True)
