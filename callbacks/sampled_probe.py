"""Probes that measure a subset of the images during training, and all images at the end."""

from abc import abstractmethod
from dataclasses import replace

from callbacks.probe import Probe
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject


class SampledProbe(Probe):
    """Measures `along` images of a split before the end of training, and every image at the end.

    The subset is chosen by seed and is the same at every epoch. It is measured at the end too: its
    numbers complete the curve, which is then of the same images throughout, and the numbers on all
    images are the final numbers of the record. metrics.csv has both, with the number of images.
    With `along=None` all images are measured at every epoch.
    """

    def __init__(self, along: int | None = None, schedule: Schedule | str = "end") -> None:
        super().__init__(schedule)
        if along is not None and along < 1:
            raise ValueError(f"{self.name}: along={along}; use at least 1 image, or null for all")
        self.along = along

    @abstractmethod
    def measure_images(self, subject: Subject, count: int | None) -> Measurement:
        """Measure `count` images of each split, or all; the result has the images of each scalar.

        It is called twice at the end, so results per image are shared (`callbacks.outputs`).
        """

    def measure(self, subject: Subject) -> Measurement:
        """Measure the subset; at the end all images, and the subset as the curve's last point."""
        if not subject.last:
            return self.measure_images(subject, self.along)
        whole = self.measure_images(subject, None)
        if not subject.continued or self.along is None:
            return whole
        part = self.measure_images(subject, self.along)
        fewer = {n: c for n, c in part.images.items() if c < whole.images.get(n, c + 1)}
        if not fewer:
            return whole
        values = {name: part.scalars[name] for name in fewer}
        return replace(whole, curve_point=Measurement(values, absent=part.absent, images=fewer))
