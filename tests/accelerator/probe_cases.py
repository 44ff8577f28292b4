"""Every probe in every mode, small, on a subject that has all that probes ask for."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

import torch
from torch import Tensor, nn

import callbacks
from callbacks.probe import Probe
from callbacks.subject import Measurement, Subject
from callbacks.undisturbed import undisturbed
from lightning_modules.losses.cross_entropy import CrossEntropy
from lightning_modules.networks.aol_mlp import AOLMLP
from lightning_modules.networks.network import Network
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline
from tests.callbacks.subjects import data_of, random_split

SMALL: dict[str, Any] = {
    **{"models": 18, "batches": 3, "points": 12, "count": 12, "images": 24, "draws": 8},
    **{"throws": 40, "selection": 10, "train": 16, "test": 16, "along": 8, "side": 6, "k": 5},
    **{"examples": 2, "cache": None, "sizes": (10, 20, 40)},
}


class Small(Network):
    """Eight pixels to scores, with batch statistics and dropout."""

    def __init__(self, outputs: int = 3) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.GELU(), nn.Flatten(), nn.Dropout(0.5)
        )
        self.head = nn.Linear(144, outputs)

    def features(self, x: Tensor) -> Tensor:
        return self.body(x)


def probe_classes() -> list[type[Probe]]:
    """All probes of `callbacks`."""
    found = set()
    for info in pkgutil.iter_modules(callbacks.__path__):
        module = importlib.import_module(f"callbacks.{info.name}")
        for value in vars(module).values():
            if inspect.isclass(value) and issubclass(value, Probe) and not _is_abstract(value):
                found.add(value)
    return sorted(found, key=lambda probe: probe.__name__)


def _is_abstract(probe: type[Probe]) -> bool:
    """A base class: Lightning's callbacks have no ABCMeta, which `inspect.isabstract` needs."""
    methods = (getattr(probe, name) for name in dir(probe))
    return any(getattr(method, "__isabstractmethod__", False) for method in methods)


def cases() -> Iterator[tuple[type[Probe], dict[str, Any]]]:
    """Each probe as it is by default, and with every other value of each of its modes."""
    for probe in probe_classes():
        hints = get_type_hints(probe.__init__)
        small = {name: value for name, value in SMALL.items() if name in hints}
        small = {k: v for k, v in small.items() if _fits(v, hints[k])}
        default = inspect.signature(probe).parameters
        yield probe, small
        for name, hint in hints.items():
            if get_origin(hint) is Literal:
                for value in get_args(hint):
                    if value != default[name].default:
                        yield probe, small | {name: value}


def _fits(value: Any, hint: Any) -> bool:
    """`train` is a number of images for one probe and a switch for another."""
    return (hint is not bool and get_origin(hint) is not Literal) or isinstance(value, bool)


def subject_on(device: str, options: dict[str, Any], name: str) -> Subject:
    """The same subject on a device: images and labels in main memory, networks there."""
    train, test = random_split(70), random_split(50, seed=1)
    wrong = torch.arange(70) % 5 == 0
    train = replace(train, clean_y=(train.y + wrong) % 3, group=torch.arange(70) // 2)
    data = data_of(train, test, classes=3)
    data.directions = torch.linalg.qr(torch.rand(64, 2, generator=torch.Generator()))[0].T
    data.validation = random_split(20, seed=2)
    data.variants = {"shifted": replace(test, x=test.x.roll(1, -1))}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        bounded = name == "CertifiedRobustness" and options.get("mode") != "smoothing"
        outputs = 2 if options.get("scalar") == "difference" else 3
        made = [AOLMLP(1, 8, 3, width=16, depth=2) if bounded else Small(outputs) for _ in range(2)]
    norm = "centre" if bounded else "dataset"
    networks = [Pipeline(Normalize(norm, (0.5,), (0.25,)), n).eval().to(device) for n in made]
    several = name in ("Evaluation", "GeometricVelocity", "DecisionBoundary")
    return Subject(
        data,
        seed=0,
        networks=tuple(networks) if several else (networks[0],),
        loss=CrossEntropy().to(device),
        device=torch.device(device),
    )


def measured(probe: Probe, subject: Subject) -> list[Measurement]:
    """Before training and at the end of it."""
    torch.manual_seed(0)
    found = []
    for epoch, last in ((0, False), (1, True)):
        with undisturbed(*subject.networks):
            found.append(probe.measure(replace(subject, epoch=epoch, last=last)))
        with torch.no_grad():  # as training would: the next measurement is of another network
            for network in subject.networks:
                for parameter in network.parameters():
                    parameter.mul_(1.1)
    return found
