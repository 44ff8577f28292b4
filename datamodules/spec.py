"""Properties of a data set for networks, probes and records."""

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from records.printable import printable

OWN = ("image_folder", "npz")  # names of data sets for a user's own images
Domain = Literal["natural", "medical", "synthetic"]


@dataclass(frozen=True)
class DataSpec:
    """Description of a datamodule; networks are built from it, never from the labels."""

    name: str
    domain: Domain
    channels: int
    size: int  # height = width, in pixels
    classes: tuple[str, ...]
    n: int  # training images
    test_n: int
    groups: int | None  # distinct patients, lesions, knees; None without groups
    mean: tuple[float, ...]  # per channel, of the training pixels in [0, 1]
    std: tuple[float, ...]
    value_range: tuple[float, float] | None = (0.0, 1.0)  # None: unbounded (synthetic Gaussians)
    standin: bool = False
    validation_n: int = 0  # images set aside of the training set
    folder: str = ""  # name of the folder or file of a user's own set; '' of others

    def __post_init__(self) -> None:
        """Make names valid UTF-8, as figures, W&B and reports require; folder names need not be."""
        object.__setattr__(self, "name", printable(self.name))
        object.__setattr__(self, "folder", printable(self.folder))
        object.__setattr__(self, "classes", tuple(printable(name) for name in self.classes))

    @property
    def title(self) -> str:
        """The name in figures: `image_folder` would not tell one's own sets apart."""
        return self.folder or self.name

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, height and width of an image."""
        return self.channels, self.size, self.size

    @property
    def dimension(self) -> int:
        """D, the number of values in one image."""
        return self.channels * self.size * self.size

    def class_name(self, label: int) -> str:
        """The name of a class, or its number if the network has more outputs than classes."""
        return self.classes[label] if label < len(self.classes) else f"output {label}"

    def as_dict(self) -> dict[str, Any]:
        """Plain containers, for the record."""
        return asdict(self)

    @classmethod
    def of(cls, plain: dict[str, Any]) -> "DataSpec":
        """The inverse of `as_dict`, also of a record, which has lists for tuples."""
        names = {field.name for field in fields(cls)}
        known: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in plain.items()
            if name in names
        }
        return cls(**known)
