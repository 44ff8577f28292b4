"""The typed root of the configuration. Groups are typed by the signature of their `_target_`."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING

Resume = Enum("Resume", ["auto", "never", "must"])
OnError = Enum("OnError", ["continue", "stop"])  # functional form: `continue` is a keyword
Precision = Enum("Precision", ["32-true", "64-true", "16-mixed", "bf16-mixed"])


@dataclass
class Paths:
    """Where things are kept."""

    runs: str = MISSING
    data: str = MISSING
    cache: str = MISSING


@dataclass
class Rules:
    """What data sets and tasks share, and a protocol sets."""

    split: str = MISSING
    order: str = MISSING
    antialias: bool = MISSING
    per_image_max: bool = MISSING
    test_noise: bool = MISSING


@dataclass
class Probes:
    """What several probes share, and a protocol sets."""

    on_error: OnError = MISSING
    layers: list[str] = MISSING
    denominator: str = MISSING
    discard: float = MISSING
    pairs: str = MISSING


@dataclass
class Config:
    """Every key of `config.yaml`; any other, or a value of another type, is refused."""

    model: Any = MISSING
    data: Any = MISSING
    task: Any = MISSING
    optimizer: Any = MISSING
    schedule: Any = MISSING
    stop: Any = MISSING
    callbacks: Any = field(default_factory=dict)
    trainer: Any = MISSING
    logger: Any = MISSING
    paths: Paths = field(default_factory=Paths)
    n: int = MISSING
    seed: int = MISSING
    epochs: int = MISSING
    batch_size: int = MISSING
    standin: bool = MISSING
    resume: Resume = MISSING
    on_error: OnError = MISSING
    name: str = MISSING
    precision: Precision = MISSING
    compile: bool = MISSING
    checkpoint_seconds: float = MISSING
    rules: Rules = field(default_factory=Rules)
    probes: Probes = field(default_factory=Probes)
    preset: str = MISSING
    protocol: str = MISSING


def register() -> None:
    """Make the schema known to Hydra; once per process is enough, twice does no harm."""
    ConfigStore.instance().store(name="schema", node=Config)
