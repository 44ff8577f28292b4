"""How long the rest of a sweep will take, by what its finished runs took, measuring included."""

from collections.abc import Sequence

from records.counted import counted
from records.duration import duration


def expected(images: Sequence[float], seconds: Sequence[float], left: Sequence[float]) -> float:
    """Seconds that runs will take: their mean, and more for more images where that was seen.

    Measuring has a cost of its own, whatever n is: so a line, not a proportion.

    Args:
        images: that each finished run trained on, epochs counted; not empty.
        seconds: that it took, all in all.
        left: images of each run to come.

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


class Estimate:
    """Gathers what runs took and says what is left, when it is worth saying."""

    def __init__(self) -> None:
        self.images: list[float] = []
        self.seconds: list[float] = []
        self.told = 0.0  # seconds of runs gathered when it was last said

    def add(self, images: float, seconds: float) -> None:
        """A run is finished."""
        self.images.append(images)
        self.seconds.append(seconds)

    def sentence(self, left: Sequence[float]) -> str:
        """After the first run, and then each time as long again has passed; else empty."""
        if not left or not self.seconds or sum(self.seconds) < 2 * self.told:
            return ""
        self.told = sum(self.seconds)
        time = duration(expected(self.images, self.seconds, left))
        done = counted(len(self.seconds), "run")
        return f"About {time} for the {counted(len(left), 'run')} left, by the {done} finished."
