"""Outputs of a network for every image of a split, computed once per epoch for all probes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from callbacks.ranks import collect
from callbacks.subject import Subject
from callbacks.taps import tap
from datamodules.split import Split

if TYPE_CHECKING:
    from callbacks.probe import Probe

SCORES = "scores"  # no layer has this name: layers are named after modules


class SharedMoment:
    """The probes of a run, and what those that measure at the same moment share.

    Loss, accuracy and d_repr need the same pass over the training images. The first probe computes
    it, with the layers of all probes that are due; it is cached until training continues.

    Args:
        probes: of one run.
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
        """The layers that probes due at this moment read."""
        due = [probe for probe in self.probes if probe.schedule.due(epoch, last)]
        return tuple(dict.fromkeys(layer for probe in due for layer in probe.layers))

    def clear(self) -> None:
        """Clear the cache, because the weights change."""
        self._moment, self._memo = None, {}


@torch.no_grad()
def outputs(subject: Subject, split: Split, batch: int = 256) -> dict[str, Tensor]:
    """Scores (N, C) of every image, and of training images the layers (N, F) asked for.

    Args:
        subject: whose `layers` say what is read beside the scores.
        split: the images.
        batch: images in one pass.
    """
    network = subject.network
    assert isinstance(network, nn.Module)
    layers = subject.layers if split is subject.data.train else ()
    key = ("outputs", id(network), id(split), batch)
    memo = {} if subject.memo is None else subject.memo
    found: dict[str, Tensor] | None = memo.get(key)
    if found is None or not set(layers) <= set(found):
        with tap(network, layers) as captured:

            def part(index: Tensor) -> dict[str, Tensor]:
                scores = network(subject.images(split, index))
                return {SCORES: scores, **{layer: captured[layer] for layer in layers}}

            found = memo[key] = collect(part, len(split), subject, batch)
    return found
