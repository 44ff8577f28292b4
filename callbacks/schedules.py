"""When a probe measures.

Epochs are completed epochs: 0 is the untrained network. The end of training is a separate call
with `last=True`, because a stop rule may end it early.

`probes.schedule` names the schedule of all probes of a run, so that their numbers are of the same
epochs and can be plotted against each other; a probe may have its own
(`callbacks.fgsm_penalty.schedule=end`).
"""

from dataclasses import dataclass
from typing import Protocol


class Schedule(Protocol):
    """Interface: whether a probe is due."""

    def due(self, epoch: int, last: bool) -> bool:
        """Whether to measure after `epoch` completed epochs; `last`: training is over."""
        ...


@dataclass(frozen=True)
class AtEnds:
    """Before training, after it, or both.

    >>> [epoch for epoch in range(4) if AtEnds(last=False).due(epoch, last=epoch == 3)]
    [0]
    """

    first: bool = True
    last: bool = True

    def due(self, epoch: int, last: bool) -> bool:
        """At epoch 0, which is also the end of a run of 0 epochs, and at the end."""
        return (self.first and epoch == 0) or (self.last and last)


@dataclass(frozen=True)
class EveryEpochs:
    """Every `every` epochs, and at the end; `first=True` also before the first.

    >>> schedule = EveryEpochs(5)
    >>> [epoch for epoch in range(12) if schedule.due(epoch, last=False)]
    [5, 10]
    """

    every: int = 1
    first: bool = False

    def due(self, epoch: int, last: bool) -> bool:
        """At multiples, and at the end."""
        return last or (epoch % self.every == 0 and (epoch > 0 or self.first))


@dataclass(frozen=True)
class LogSpaced:
    """About `per_decade` times per factor of ten in epochs, and at the end; `first` as above.

    >>> schedule = LogSpaced(per_decade=3)
    >>> [epoch for epoch in range(101) if schedule.due(epoch, last=False)]
    [1, 2, 5, 10, 22, 46, 100]
    """

    per_decade: int = 3
    first: bool = False

    def due(self, epoch: int, last: bool) -> bool:
        """At epochs round(10^(k / per_decade)), and at the end."""
        if last or epoch == 0:
            return last or self.first
        steps = range(self.per_decade * len(str(epoch)) + 1)
        return epoch in {round(10 ** (k / self.per_decade)) for k in steps}


NAMED: dict[str, Schedule] = {
    "log": LogSpaced(per_decade=3, first=True),
    "every": EveryEpochs(1, first=True),
    "start": AtEnds(last=False),
    "end": AtEnds(first=False),
    "start_end": AtEnds(),
}


def schedule_named(name: str) -> Schedule:
    """The schedule of this name; ValueError if there is none.

    >>> [epoch for epoch in range(21) if schedule_named("log").due(epoch, last=epoch == 20)]
    [0, 1, 2, 5, 10, 20]
    """
    if name not in NAMED:
        raise ValueError(f"schedule={name}: choose one of {', '.join(NAMED)}")
    return NAMED[name]
