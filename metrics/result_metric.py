"""A metric whose full result is a frozen dataclass."""

from abc import ABC, abstractmethod
from typing import Generic, Protocol, TypeVar

import torch
from torch import Tensor
from torchmetrics import Metric
from torchmetrics.utilities import dim_zero_cat


class Result(Protocol):
    """Interface of every functional result."""

    def scalars(self) -> dict[str, float]:
        """The numbers to log, by name."""
        ...


R = TypeVar("R", bound=Result)


class ResultMetric(Metric, ABC, Generic[R]):
    """`compute()` returns the loggable numbers, `result()` the whole result.

    torchmetrics copies what `compute` returns and cannot copy frozen dataclasses, so the result has
    its own method; both use the states of all processes.
    """

    is_differentiable: bool | None = False
    higher_is_better: bool | None = None
    full_state_update = False

    @abstractmethod
    def from_states(self) -> R:
        """The result of the current states, local or synchronised."""

    def compute(self) -> dict[str, Tensor]:
        """The result's scalars, float64."""
        return {
            name: torch.tensor(value, dtype=torch.float64, device=self.device)
            for name, value in self.from_states().scalars().items()
        }

    def result(self) -> R:
        """The whole result, over all processes unless `sync_on_compute=False`."""
        with self.sync_context(should_sync=self.sync_on_compute):
            return self.from_states()


class PooledMetric(ResultMetric[R]):
    """Stores the tensors of all updates, and computes from all of them at once."""

    def add_lists(self, *names: str) -> None:
        """Add states that `store` appends to."""
        for name in names:
            self.add_state(name, default=[], dist_reduce_fx="cat")

    def store(self, **tensors: Tensor | None) -> None:
        """Append a batch to the states of these names; None appends nothing."""
        for name, tensor in tensors.items():
            if tensor is not None:
                getattr(self, name).append(tensor.detach().clone())  # callers may reuse buffers

    def pooled(self, name: str) -> Tensor:
        """All batches of a state, of all processes; ValueError if there are none."""
        if len(getattr(self, name)) == 0:
            raise ValueError(f"{type(self).__name__} of 0 examples is undefined: call update first")
        return dim_zero_cat(getattr(self, name))
