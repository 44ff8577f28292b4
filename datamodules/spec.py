"""What a network, a probe and a record need to know of a data set."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Domain = Literal["natural", "medical", "synthetic"]


@dataclass(frozen=True)
class DataSpec:
    """The published face of a datamodule; networks are built from it, never from labels seen."""

    name: str
    domain: Domain
    channels: int
    size: int  # height = width, in pixels
    classes: tuple[str, ...]
    n: int  # training images
    test_n: int
    groups: int | None  # distinct patients, lesions, knees; None where images stand alone
    mean: tuple[float, ...]  # per channel, of the training pixels in [0, 1]
    std: tuple[float, ...]
    value_range: tuple[float, float] | None = (0.0, 1.0)  # None: unbounded (synthetic Gaussians)
    standin: bool = False

    @property
    def dimension(self) -> int:
        """D, the number of values in one image."""
        return self.channels * self.size * self.size

    def as_dict(self) -> dict[str, Any]:
        """Plain containers, for the record."""
        return asdict(self)
