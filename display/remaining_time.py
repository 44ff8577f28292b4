"""Remaining time of a sweep, from the duration of its finished runs with their measurements.

The launcher and `watch` use it, so that they agree.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from records.counted import counted
from records.duration import duration
from records.key import parse_key, trains
from records.run_state import RunState
from records.status import FINISHED


def expected(images: Sequence[float], seconds: Sequence[float], left: Sequence[float]) -> float:
    """Seconds that runs will take, by a line in the number of images; the mean if it falls.

    A line and not a proportion, because measurements have a cost that does not depend on n.
    `images` (of finished runs) and `left` are n times epochs.

    >>> expected([100, 300], [2.0, 4.0], [500, 500])
    12.0
    >>> expected([100, 100], [2.0, 4.0], [900])
    3.0
    """
    size, pace = sum(images) / len(images), sum(seconds) / len(seconds)
    spread = sum((x - size) ** 2 for x in images)
    together = sum((x - size) * (t - pace) for x, t in zip(images, seconds, strict=True))
    slope = max(together / spread, 0.0) if spread else 0.0
    return sum(max(pace + slope * (x - size), min(seconds)) for x in left)


def images_of(settings: Mapping[str, Any]) -> int:
    """Images that a run trains on: n times epochs; 0 if nothing is trained."""
    return int(settings.get("n") or 0) * int(settings.get("epochs") or 0) * trains(settings)


def seconds_left(
    states: Sequence[RunState], to_start: Collection[Path] | None = None
) -> float | None:
    """Seconds until a sweep ends, if as many runs as now are executed at once.

    `to_start` are the runs that a launcher has still to start, failed and interrupted ones among
    them; None, if that is not known: those without a record. None if nothing runs, or there is no
    estimate.
    """
    running = [state for state in states if state.status == "running"]
    known = [state.left for state in running if state.left is not None]
    waiting = [
        state
        for state in states
        if (state in running and state.left is None) or _waits(state, to_start)
    ]
    epochs = max((state.epochs for state in states), default=0)
    whole = [(_size(s, epochs), s.seconds) for s in states if s.status in FINISHED and s.seconds]
    whole = whole or [
        (_size(s, epochs), s.seconds / s.epoch * s.epochs) for s in running if s.epoch
    ]
    if not running or not whole:
        return None
    images, seconds = zip(*whole, strict=True)
    later = expected(images, seconds, [_size(s, epochs) for s in waiting])
    return (sum(known) + later) / len(running)


def _waits(state: RunState, to_start: Collection[Path] | None) -> bool:
    if to_start is None:
        return state.status == "not started"
    return state.path in to_start and state.status not in FINISHED | {"running"}


def _size(state: RunState, epochs: int) -> int:
    """The same; before a run starts, by its key and the epochs of other runs."""
    if state.settings is not None:
        return images_of(state.settings)
    return int(parse_key(state.path.name).get("n", 0)) * epochs


def sweep_sentence(states: Sequence[RunState], to_start: Collection[Path] | None = None) -> str:
    """How many runs of a sweep are finished and running, and the remaining time."""
    finished = sum(state.status in FINISHED for state in states)
    running = sum(state.status == "running" for state in states)
    left = seconds_left(states, to_start)
    ending = "" if left is None else f", about {duration(left)} left"
    return f"{counted(len(states), 'run')}: {finished} done, {running} running{ending}"


class RemainingTime:
    """Collects durations of runs and estimates the remaining time, at growing intervals."""

    def __init__(self) -> None:
        self.images: list[float] = []
        self.seconds: list[float] = []
        self.reported = 0.0  # total seconds of runs at the last report

    def add(self, images: float, seconds: float) -> None:
        """Add a finished run."""
        self.images.append(images)
        self.seconds.append(seconds)

    def sentence(self, left: Sequence[float]) -> str:
        """After the first run, and then whenever the total time has doubled; else empty."""
        if not left or not self.seconds or sum(self.seconds) < 2 * self.reported:
            return ""
        self.reported = sum(self.seconds)
        time = duration(expected(self.images, self.seconds, left))
        done = counted(len(self.seconds), "run")
        return f"About {time} for the {counted(len(left), 'run')} left, by the {done} finished."
