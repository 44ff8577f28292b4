"""Probes against the training they watch: ResNet-18, 1,750 colour images of 32 pixels.

Every probe of `callbacks=full` is timed twice on real-sized input, the first time with an empty
cache; a run pays the first once and the second as often as its default schedule asks again. One
epoch of plain torch steps stands for training, without any loop around it, so the shares are a
little above those of a real run. The ratio is training over probe: 10x is a tenth of the training.
"""

import tempfile
from collections.abc import Iterable
from types import SimpleNamespace

import torch
from torch import nn

from benchmarks import harness
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


def random_images(n: int = N, test_n: int = TEST_N, size: int = SIZE) -> SimpleNamespace:
    """Two classes of random images, with the face of a datamodule."""
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
    return SimpleNamespace(spec=spec, train=split(n), test=split(test_n))


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


def times_due(probe: Probe, epochs: int) -> int:
    """How often a run of so many epochs asks for the probe."""
    during = sum(probe.schedule.due(epoch, last=False) for epoch in range(epochs))
    return during + probe.schedule.due(epochs, last=True)


def probes_of(tier: str, cache: str) -> list[Probe]:
    """The probes of a tier, as a run builds them."""
    planned = plan([f"callbacks={tier}", f"paths.cache={cache}"])
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
    cost: dict[str, tuple[float, float]] = {}

    def spent(probe: Probe, length: int) -> float:
        due, (first, again) = times_due(probe, length), cost[probe.name]
        return first + (due - 1) * again if due else 0.0

    with tempfile.TemporaryDirectory() as cache:
        for probe in probes_of("full", cache):
            cost[probe.name] = (taken(probe, subject), taken(probe, subject))
            for title, length in RUNS.items():
                if (seconds := spent(probe, length)) > 0:
                    share = f"{seconds / (length * epoch):.1%} of training"
                    yield Row(probe.name, seconds, title, length * epoch, note=share)
        for tier, goal in TIERS.items():
            for title, length in RUNS.items():
                seconds = sum(spent(probe, length) for probe in probes_of(tier, cache))
                share = f"{seconds / (length * epoch):.1%} of training"
                yield Row(f"all of {tier}", seconds, title, length * epoch, goal, share)


def taken(probe: Probe, subject: Subject) -> float:
    """Seconds of one measurement."""
    start = harness.clock()
    assert probe.take(subject) is not None, f"{probe.name} failed"
    return harness.clock() - start
