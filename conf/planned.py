"""One run that a command asks for, before it starts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from conf.resolve import Plain, look_up, plain_of, resolve
from records.key import key_of, masked, settings_of


@dataclass(frozen=True)
class Planned:
    """One run of the plan: plain containers, and on demand the configuration they came from."""

    plain: Plain  # `${...}` not yet replaced
    make: Callable[[], DictConfig]
    overrides: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: DictConfig, overrides: Iterable[str] = ()) -> "Planned":
        """The run of a configuration that is already composed."""
        return cls(plain_of(config), lambda: config, tuple(overrides))

    @property
    def config(self) -> DictConfig:
        """What everything is built from: 0.4 MB, so that the runs of a sweep do not keep theirs."""
        return self.make()

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What the key is made of."""
        return settings_of(resolve(masked(self.plain)))

    @cached_property
    def key(self) -> str:
        """The run's name."""
        return key_of(self.settings)

    @cached_property
    def folder(self) -> Path:
        """Where its record is: `<paths.runs>/<name>/<key>`."""
        runs, name = (look_up(self.plain, name) for name in ("paths.runs", "name"))
        return Path(runs).expanduser() / name / self.key
