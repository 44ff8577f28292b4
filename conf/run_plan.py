"""One run of a command, before it starts."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from conf.resolve import Plain, look_up, plain_of, resolve
from records.data_identity import DataIdentity
from records.key import key_of, masked, settings_of
from records.schema import flat

PLACES = ("data.root", "data.extra")  # settings that locate images
WEIGHTS = "model.weights"
ARRAYS = (".npy", ".npz")  # files of directions and geometries


@dataclass(frozen=True)
class RunPlan:
    """One planned run: plain containers, and on demand the configuration that they come from."""

    plain: Plain  # `${...}` not yet replaced
    make: Callable[[], DictConfig]
    overrides: tuple[str, ...] = ()
    data: DataIdentity | None = None  # None: not identified yet, or images that are in no file
    too_few: str = ""  # a message, if its data have fewer images than it needs

    @classmethod
    def of(cls, config: DictConfig, overrides: Iterable[str] = ()) -> "RunPlan":
        """The run of a configuration that is already composed."""
        return cls(plain_of(config), lambda: config, tuple(overrides))

    @property
    def config(self) -> DictConfig:
        """The configuration; made on demand, because it takes 0.4 MB and a sweep has many runs."""
        return self.make()

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The settings that determine the key."""
        return settings_of(resolve(masked(self.plain)))

    @cached_property
    def files(self) -> dict[str, Path]:
        """Files and folders whose content the numbers depend on, by the names of their settings.

        Generated and embedded images have none.
        """
        found = {}
        if self.settings["data"].get("root") and not self.settings.get("standin"):
            found["data.root"] = Path(look_up(self.plain, "data.root"))
        arrays = {name: Path(value).expanduser() for name, value in array_files(self.settings)}
        return found | {name: path for name, path in arrays.items() if path.is_file()}

    @cached_property
    def key(self) -> str:
        """`<model>-<data>-n<n>-s<seed>-<hash8>`."""
        return key_of(self.settings, self.data)

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of its data."""
        return self.data.fingerprint if self.data else None

    @cached_property
    def folder(self) -> Path:
        """The run folder, `<paths.runs>/<name>/<key>`."""
        return self.runs_folder / look_up(self.plain, "name") / self.key

    @property
    def runs_folder(self) -> Path:
        """`paths.runs`."""
        return Path(look_up(self.plain, "paths.runs")).expanduser()

    @property
    def cache_folder(self) -> Path:
        """`paths.cache`."""
        return Path(look_up(self.plain, "paths.cache")).expanduser()


def array_files(settings: Plain) -> Iterator[tuple[str, str]]:
    """Settings that name weights or arrays of numbers, with their files.

    >>> list(array_files({"model": {"weights": "a.pth"}, "data": {"root": "b.npz"}}))
    [('model.weights', 'a.pth')]
    """
    for name, value in flat(settings):
        is_array = isinstance(value, str) and (name == WEIGHTS or value.endswith(ARRAYS))
        if is_array and name not in PLACES:
            yield name, value
