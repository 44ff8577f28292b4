"""Cost of probes relative to training: ResNet-18, 1,750 colour images of 32 pixels.

Every probe of `callbacks=full` is timed at three moments: before training, with an empty cache;
during training; and at the end. A run has each cost as often as its schedule requires. Training
time is that of plain torch steps, so the shares are a little above those of a real run. The ratio
is the time of training over that of the probe: 10x is a tenth of it.
"""

import tempfile
from collections.abc import Iterable
from dataclasses import replace
from types import SimpleNamespace

import torch
from torch import nn

from benchmarks import harness
from benchmarks.harness import Row, planned_run
from callbacks.build import build_probes
from callbacks.probe import Probe
from callbacks.subject import Subject
from datamodules.spec import DataSpec
from datamodules.split import Split
from lightning_modules.build import build_network
from lightning_modules.losses.cross_entropy import CrossEntropy

N, TEST_N, SIZE = 1750, 750, 32
Cost = dict[tuple[str, str], float]  # seconds by probe and kind of moment
RUNS = {"a run of 20 epochs": 20, "the papers' 100 epochs": 100}
TIERS = {"economy": None, "business": 10.0, "full": 4.0}  # goals: a tenth, a quarter of training


def random_images(n: int = N, test_n: int = TEST_N, size: int = SIZE) -> SimpleNamespace:
    """Two classes of random images, with the interface of a datamodule."""
    generator = torch.Generator().manual_seed(0)

    def split(count: int) -> Split:
        x = torch.randint(0, 256, (count, 3, size, size), generator=generator, dtype=torch.uint8)
        return Split(x, torch.arange(count) % 2, torch.arange(count))

    spec = DataSpec(
        name="random",
        domain="synthetic",
        channels=3,
        size=size,
        classes=("a", "b"),
        n=n,
        test_n=test_n,
        groups=None,
        mean=(0.5,) * 3,
        std=(0.29,) * 3,
    )
    sides = {"train": split(n), "test": split(test_n)}
    return SimpleNamespace(spec=spec, **sides, variants={}, test_names={})


def epoch_seconds(network: nn.Module, split: Split, batch: int) -> float:
    """One epoch of plain training steps."""
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    network.train()
    start = harness.clock()
    for index in torch.randperm(len(split)).split(batch):
        optimizer.zero_grad()
        nn.functional.cross_entropy(network(split.images(index)), split.y[index]).backward()
        optimizer.step()
    return harness.clock() - start


def moments(epochs: int) -> dict[str, list[tuple[int, bool]]]:
    """Epoch and `last` of every moment at which probes may be due, by what they cost there."""
    along = [(epoch, False) for epoch in range(1, epochs)]
    return {"first": [(0, False)], "along": along, "end": [(epochs, True)]}


def probes_of(tier: str, cache: str) -> list[Probe]:
    """The probes of a tier, as a run builds them."""
    return build_probes(planned_run(f"callbacks={tier}", f"paths.cache={cache}").config)


def run() -> Iterable[Row]:
    """A row for each probe, then one for each tier and length of run."""
    config, data = planned_run("model=resnet18").config, random_images()
    network = build_network(config.model, data.spec, seed=0).to(memory_format=torch.channels_last)
    epochs = [epoch_seconds(network, data.train, config.model.batch_size) for _ in range(3)]
    epoch = sorted(epochs)[1]
    subject = Subject(data, seed=0, networks=(network.eval(),), loss=CrossEntropy())
    cost: Cost = {}

    with tempfile.TemporaryDirectory() as cache:
        probes = probes_of("full", cache)
        for kind, times in moments(epochs=2).items():
            number, last = times[0]
            layers = probes[0].shared.layers(number, last)
            shared = {"memo": {}, "layers": layers, "continued": last}
            now = replace(subject, epoch=number, last=last, **shared)
            for probe in probes:
                if probe.schedule.due(number, last):
                    cost[probe.name, kind] = taken(probe, now)
        # the cost before training for another run of the architecture: G_F is in the cache now
        (again,) = [one for one in probes_of("full", cache) if one.name == "geometric_velocity"]
        known = taken(again, replace(subject, epoch=0, last=False, memo={}))
        cached = {**cost, (again.name, "first"): known}
        for title, length in RUNS.items():
            for probe in probes:
                if (seconds := spent([probe], length, cost)) > 0:
                    share = f"{seconds / (length * epoch):.1%} of training"
                    yield Row(probe.name, seconds, title, length * epoch, note=share)
            for tier, goal in TIERS.items():
                seconds = spent(probes_of(tier, cache), length, cost)
                share = f"{seconds / (length * epoch):.1%} of training"
                yield Row(f"all of {tier}", seconds, title, length * epoch, goal, share)
            seconds = spent(probes, length, cached)
            share = f"{seconds / (length * epoch):.1%} of training"
            yield Row("all of full, G_F cached", seconds, title, length * epoch, 8.3, share)


def spent(probes: list[Probe], length: int, cost: Cost) -> float:
    """Seconds of some probes over a run of that many epochs."""
    return sum(
        cost[probe.name, kind]
        for probe in probes
        for kind, times in moments(length).items()
        for epoch, last in times
        if probe.schedule.due(epoch, last)
    )


def taken(probe: Probe, subject: Subject) -> float:
    """Seconds of one measurement."""
    start = harness.clock()
    probe.take(subject)
    return harness.clock() - start
