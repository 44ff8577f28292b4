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


def joined(state: list[Tensor], what: str) -> Tensor:
    """All batches of a list state, of all processes; ValueError that names `what` if empty."""
    if len(state) == 0:
        raise ValueError(f"{what} is undefined: call update first")
    return dim_zero_cat(state)
