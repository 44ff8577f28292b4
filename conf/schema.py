"""The typed root of the configuration. Nodes with a `_target_` are typed by its signature."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING

from conf.blocks import register_blocks
from conf.resolvers import register_resolvers

Resume = Enum("Resume", ["auto", "never", "must"])
OnError = Enum("OnError", ["continue", "stop"])  # functional form: `continue` is a keyword
Select = Enum("Select", ["last", "best"])
Precision = Enum("Precision", ["32-true", "64-true", "16-mixed", "bf16-mixed"])
ProbeSchedule = Enum(  # as callbacks.schedules.NAMED; text, so that probes get the word
    "ProbeSchedule",
    {"log": "log", "every": "every", "start": "start", "end": "end", "start_end": "start_end"},
    type=str,
)


@dataclass
class Model:
    """A network and its training settings; a file of `conf/model` has those that differ from here.

    `normalize` is the first layer, so that attacks are in pixel units: none | dataset | centre |
    image | channel | imagenet (the constants of its pretrained networks). For 1-Lipschitz networks,
    centre and none keep the bound of 1 in pixels, dataset divides it by the smallest deviation,
    image and channel have no bound.
    """

    name: str = MISSING
    network: Any = None
    normalize: str = "none"
    head: str = "logits"  # one score per class, for any loss; single: one logit, for two classes
    outputs: int | None = None
    weights: str | None = None  # safetensors or a state dict, with our names or torchvision's
    freeze: str | None = None  # features: only the head is trained
    members: int = 1  # trained side by side on the same batches, each from its own initialisation
    lr: float = MISSING
    lr_on: dict[str, float] = field(default_factory=dict)  # of a data set: {svhn: 1e-6}
    batch_size: int = MISSING
    published_batch_size: int | None = None


@dataclass
class Trainer:
    """Arguments of `pytorch_lightning.Trainer`."""

    _target_: str = MISSING
    accelerator: str = MISSING
    devices: Any = MISSING  # a number, or auto
    strategy: str = MISSING
    num_nodes: int = MISSING
    deterministic: bool = MISSING
    inference_mode: bool = MISSING
    gradient_clip_val: float | None = None
    limit_train_batches: Any = MISSING  # a number of batches, or a share
    limit_test_batches: Any = MISSING
    overfit_batches: Any = MISSING
    sync_batchnorm: bool = MISSING
    profiler: Any = None  # simple, or advanced


@dataclass
class Logger:
    """Weights & Biases."""

    wandb: bool = MISSING
    project: str = MISSING
    entity: str | None = None
    mode: str = MISSING


@dataclass
class Paths:
    """Folders of runs, data sets and the cache."""

    runs: str = MISSING
    data: str = MISSING
    cache: str = MISSING


@dataclass
class Preparation:
    """Settings that data sets and tasks share; a protocol sets them."""

    split: str = MISSING
    order: str = MISSING
    antialias: bool = MISSING
    per_image_max: bool = MISSING
    test_noise: bool = MISSING
    geometry_models: int = MISSING
    slip: bool = MISSING


@dataclass
class Probes:
    """Settings that several probes share; a protocol sets some."""

    schedule: ProbeSchedule = MISSING
    images: int | None = None
    on_error: OnError = MISSING
    layers: list[str] = MISSING
    denominator: str = MISSING
    discard: float = MISSING
    pairs: str = MISSING
    attack_loss: str = MISSING
    models: int | None = None
    g_f_error: float | None = None
    points: int = MISSING
    grid: int = MISSING


@dataclass
class Config:
    """Every key of `config.yaml`; other keys and values of another type are refused."""

    model: Model = field(default_factory=Model)
    data: Any = MISSING
    task: Any = MISSING
    loss: Any = MISSING
    augmentation: Any = None
    optimizer: Any = MISSING
    schedule: Any = MISSING
    stop: Any = MISSING
    callbacks: Any = field(default_factory=dict)
    trainer: Trainer = field(default_factory=Trainer)
    logger: Logger = field(default_factory=Logger)
    paths: Paths = field(default_factory=Paths)
    n: Any = MISSING  # a number, or all
    seed: int = MISSING
    epochs: int = MISSING
    select: Select = MISSING
    folds: int | None = None
    fold: int | None = None
    batch_size: int = MISSING
    standin: bool = MISSING
    resume: Resume = MISSING
    on_error: OnError = MISSING
    name: str = MISSING
    precision: Precision = MISSING
    compile: bool = MISSING
    threads: Any = MISSING  # a number, or auto
    checkpoint_seconds: float = MISSING
    preparation: Preparation = field(default_factory=Preparation)
    probes: Probes = field(default_factory=Probes)
    preset: str = MISSING
    protocol: str = MISSING


def register() -> None:
    """Register schema, blocks and resolvers with Hydra; may be called repeatedly."""
    register_blocks()
    register_resolvers()
    ConfigStore.instance().store(name="schema", node=Config)
