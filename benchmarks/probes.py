"""Probes against the training they watch: ResNet-18, 1,750 colour images of 32 pixels.

Every probe of `callbacks=full` is timed once on real-sized input and multiplied by how often its
default schedule asks for it; one epoch of plain torch steps stands for training, without any loop
around it, so the shares are a little above those of a real run. The ratio is training over probe:
10x is a tenth of the training time.
"""

import time
from collections.abc import Iterable
from types import SimpleNamespace

import torch
from torch import nn

from benchmarks.harness import Row
from callbacks.build import build_probes
from callbacks.probe import Probe
from callbacks.subject import Subject
from conf.plan import plan
from datamodules.spec import DataSpec
from datamodules.split import Split
from lightning_modules.build import build_network
from lightning_modules.losses.cross_entropy import CrossEntropy

N, TEST_N, SIZE = 1750, 750, 32
RUNS = {"a run of 20 epochs": 20, "the papers' 100 epochs": 100}
TIERS = {"economy": None, "business": 10.0, "full": 2.0}  # goals: a tenth, a half of training


def random_images() -> SimpleNamespace:
    """Two classes of random images, with the face of a datamodule."""
    generator = torch.Generator().manual_seed(0)

    def split(n: int) -> Split:
        x = torch.randint(0, 256, (n, 3, SIZE, SIZE), generator=generator, dtype=torch.uint8)
        return Split(x, torch.arange(n) % 2, torch.arange(n))

    spec = DataSpec(
        name="random",
        domain="synthetic",
        channels=3,
        size=SIZE,
        classes=("a", "b"),
        n=N,
        test_n=TEST_N,
        groups=None,
        mean=(0.5,) * 3,
        std=(0.29,) * 3,
    )
    return SimpleNamespace(spec=spec, train=split(N), test=split(TEST_N))


def epoch_seconds(network: nn.Module, split: Split, batch: int) -> float:
    """One epoch of plain training steps."""
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    network.train()
    start = time.perf_counter()
    for index in torch.randperm(len(split)).split(batch):
        optimizer.zero_grad()
        nn.functional.cross_entropy(network(split.images(index)), split.y[index]).backward()
        optimizer.step()
    return time.perf_counter() - start


def times_due(probe: Probe, epochs: int) -> int:
    """How often a run of so many epochs asks for the probe."""
    during = sum(probe.schedule.due(epoch, last=False) for epoch in range(epochs))
    return during + probe.schedule.due(epochs, last=True)


def probes_of(tier: str) -> list[Probe]:
    """The probes of a tier, as a run builds them; nothing comes from a cache."""
    cold = [] if tier == "none" else ["callbacks.dataset_properties.cache=null"]
    planned = plan([f"callbacks={tier}", *cold])
    assert planned is not None
    assert not planned.problems, planned.problems
    return build_probes(planned.runs[0].config)


def run() -> Iterable[Row]:
    """A row for each probe, then one for each tier and length of run."""
    planned = plan(["model=resnet18"])
    assert planned is not None
    config, data = planned.runs[0].config, random_images()
    network = build_network(config.model, data.spec, seed=0).to(memory_format=torch.channels_last)
    epochs = [epoch_seconds(network, data.train, config.model.batch_size) for _ in range(3)]
    epoch = sorted(epochs)[1]
    subject = Subject(data, seed=0, network=network.eval(), loss=CrossEntropy())
    cost = {}
    for probe in probes_of("full"):
        measurement = probe.take(subject)
        assert measurement is not None, f"{probe.name} failed"
        cost[probe.name] = measurement.scalars.get(f"time/{probe.name}", 0.0)
        for title, length in RUNS.items():
            spent = cost[probe.name] * times_due(probe, length)
            if spent:
                share = f"{spent / (length * epoch):.1%} of training"
                yield Row(probe.name, spent, title, length * epoch, note=share)
    for tier, goal in TIERS.items():
        for title, length in RUNS.items():
            spent = sum(cost[probe.name] * times_due(probe, length) for probe in probes_of(tier))
            share = f"{spent / (length * epoch):.1%} of training"
            yield Row(f"all of {tier}", spent, title, length * epoch, goal, share)
