"""Scores and hidden layers of a network for the images of a split, computed once per epoch."""

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from callbacks.points import fixed_points
from callbacks.ranks import collect
from callbacks.subject import Subject
from callbacks.taps import tap
from datamodules.split import Split

if TYPE_CHECKING:
    from callbacks.probe import Probe

SCORES = "scores"  # not the name of a layer: layers are named after modules
Rows = dict[str, Tensor]  # a row for each image


class SharedMoment:
    """The probes of a run, and the results that probes share at one moment of training.

    Loss, accuracy and d_repr need the same pass over the training images. The first probe computes
    it, with the layers of all probes that are due; it is cached until training continues.
    """

    def __init__(self, probes: Sequence["Probe"]) -> None:
        self.probes = probes
        self._moment: tuple[int, bool] | None = None
        self._memo: dict[Any, Any] = {}

    def at(self, epoch: int, last: bool) -> dict[Any, Any]:
        """The results cached at this moment."""
        if self._moment != (epoch, last):
            self.clear()
            self._moment = (epoch, last)
        return self._memo

    def layers(self, epoch: int, last: bool) -> tuple[str, ...]:
        """The layers that the probes due at this moment read."""
        due = [probe for probe in self.probes if probe.schedule.due(epoch, last)]
        return tuple(dict.fromkeys(layer for probe in due for layer in probe.layers))

    def clear(self) -> None:
        """Clear the cache, because the weights change."""
        self._moment, self._memo = None, {}


def outputs(
    subject: Subject, split: Split, count: int | None = None, batch: int = 256
) -> dict[str, Tensor]:
    """Scores (N, C) of the images; of training images also `subject.layers` (N, F each).

    `count` images are chosen by `fixed_points`, None: all; `batch` of them are in one pass.
    """
    network = subject.network
    layers = subject.layers if split is subject.data.train else ()
    chosen = fixed_points(len(split), count, subject.seed)

    @torch.no_grad()
    def compute() -> Rows:
        with tap(network, layers) as captured:

            def part(index: Tensor) -> Rows:
                scores = network(subject.images(split, chosen[index]))
                return {SCORES: scores, **{layer: captured[layer] for layer in layers}}

            return collect(part, len(chosen), subject, batch)

    return shared_rows(subject, outputs_key(subject, split), chosen, compute)


def outputs_key(subject: Subject, split: Split) -> Hashable:
    """The key under which `outputs` are shared."""
    layers = subject.layers if split is subject.data.train else ()
    return ("outputs", id(subject.network), id(split), layers)


def shared_rows(
    subject: Subject, key: Hashable, chosen: Tensor, compute: Callable[[], Rows]
) -> Rows:
    """Rows for the positions `chosen`, ascending: shared ones of this moment, or computed now.

    >>> subject = Subject(None, 0, memo={})
    >>> squares = lambda: {"square": torch.arange(4) ** 2}
    >>> shared_rows(subject, "squares", torch.arange(4), squares)
    {'square': tensor([0, 1, 4, 9])}
    >>> shared_rows(subject, "squares", torch.tensor([1, 3]), squares)
    {'square': tensor([1, 9])}
    """
    memo = {} if subject.memo is None else subject.memo
    if key in memo:
        positions, rows = memo[key]
        place = torch.searchsorted(positions, chosen).clamp(max=len(positions) - 1)
        if torch.equal(positions[place], chosen):
            same = len(positions) == len(chosen)
            return rows if same else {name: v[place.to(v.device)] for name, v in rows.items()}
    rows = compute()
    memo[key] = (chosen, rows)
    return rows
