"""Small subjects for probes, and the same measurement on one process and on two."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import Tensor, nn

from callbacks.subject import Subject
from datamodules.spec import DataSpec
from datamodules.split import Split
from lightning_modules.losses.cross_entropy import CrossEntropy


def split_of(x: Tensor, y: Tensor, **more: Any) -> Split:
    return Split(x, y, torch.arange(len(y)), **more)


def data_of(train: Split, test: Split | None = None, classes: int = 2) -> SimpleNamespace:
    """What a probe sees of a datamodule."""
    test = train if test is None else test
    channels, size = train.x.shape[1:3]
    spec = DataSpec(
        name="small",
        domain="synthetic",
        channels=channels,
        size=size,
        classes=tuple("abcdefghij"[:classes]),
        n=len(train),
        test_n=len(test),
        groups=None if train.group is None else len(train.group.unique()),
        mean=(0.5,) * channels,
        std=(0.25,) * channels,
        value_range=None if train.x.is_floating_point() else (0.0, 1.0),
    )
    names = {"image_names": None, "test_names": {}}
    return SimpleNamespace(spec=spec, train=train, test=test, variants={}, **names)


def random_split(n: int = 70, seed: int = 0) -> Split:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randint(0, 256, (n, 1, 8, 8), generator=generator, dtype=torch.uint8)
    return split_of(x, torch.arange(n) % 3)


def random_subject(network: nn.Module | None = None, n: int = 70, test_n: int = 50) -> Subject:
    """Three classes of random images of 8 pixels a side, other ones to train and to test on."""
    data = data_of(random_split(n), random_split(test_n, seed=1), classes=3)
    network = convolutional() if network is None else network
    return Subject(data, seed=0, networks=(network,), loss=CrossEntropy())


def convolutional(outputs: int = 3, seed: int = 0) -> nn.Module:
    """Eight pixels to scores, with batch statistics and dropout for careless probes to disturb."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = nn.Sequential(
            nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Dropout(0.5)
        )
        network.head = nn.Linear(144, outputs)
    return network.eval()


def broken(network: nn.Module) -> nn.Module:
    """The network after it has diverged."""
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.fill_(torch.nan)
    return network


Measure = Callable[[Subject], Any]


def on_one_process(measure: Measure, subject: Subject) -> Any:
    """With one thread, as `on_two_processes`, whose sums may be compared to the bit."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return measure(subject)
    finally:
        torch.set_num_threads(threads)


def on_two_processes(measure: Measure, subject: Subject) -> list[Any]:
    """What `measure` gives on each of two ranks; an exception is given as its text."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = (measure, subject, folder)
        mp.start_processes(_one_rank, args=arguments, nprocs=2, start_method="fork")
        return [torch.load(Path(folder) / f"{rank}.pt") for rank in range(2)]


def _one_rank(rank: int, measure: Measure, subject: Subject, folder: str) -> None:
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=2
    )
    try:
        result = measure(replace(subject, rank=rank, world=2))
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    torch.save(result, Path(folder) / f"{rank}.pt")
    dist.barrier()
    dist.destroy_process_group()
