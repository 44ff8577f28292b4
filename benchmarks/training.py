"""Training through `trainer.fit` against a plain loop in channels_last and the FLOP bound.

Both train the same network with the same optimiser on the same 32-pixel images; the plain loop cuts
shuffled batches from a tensor in memory. Time is that of an epoch between the first and the last,
from its start to the start of the next, with its logs; the two are measured in turn, and the
fastest of each counts. A checkpoint, which is written every `checkpoint_seconds`, has a row of its
own. The bound is the FLOPs of forward and backward passes (counted by torch) at the rate of float32
products of 1,024 x 1,024 matrices.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch
from pytorch_lightning import Callback
from torch.utils.flop_counter import FlopCounterMode

from benchmarks import harness
from benchmarks.harness import Row, planned_run, seconds
from benchmarks.jacobian_spectrum import products
from callbacks.build import build_loggers, build_probes, build_trainer
from callbacks.finish import close
from conf.run_plan import RunPlan
from datamodules.base import TensorDataModule
from datamodules.build import build_data
from lightning_modules.build import build_classifier
from records.checkpoints import LAST
from records.run_folder import RunFolder

EPOCHS = 4
REPEATS = 3
CASES = {  # overrides, images, batch
    "LeNet": (["model=lenet"], 12160, 128),
    "ViT": (["model=vit"], 640, 64),
    "VGG-13": (["model=vgg13", "model.network.classifier=small"], 320, 32),
    "ResNet-18": (["model=resnet18", "model.network.stem=small"], 120, 30),
}


class EpochTimes(Callback):
    """Time from the start of each epoch to the start of the next."""

    def __init__(self) -> None:
        self.starts: list[float] = []

    def on_train_epoch_start(self, *_: object) -> None:
        """Note the time."""
        self.starts.append(harness.clock())

    on_train_end = on_train_epoch_start

    def seconds(self) -> list[float]:
        """Of the epochs between the first and the last, which ends with a checkpoint."""
        pairs = zip(self.starts[1:-2], self.starts[2:-1], strict=True)
        return [end - start for start, end in pairs]


def through_fit(
    run: RunPlan, data: TensorDataModule, folder: Path
) -> tuple[float, list[float], float]:
    """Seconds of `trainer.fit`, as a launch makes it, of its epochs, and of one checkpoint."""
    run_folder, times = RunFolder(folder), EpochTimes()
    loggers = build_loggers(run.config, run.settings, run_folder)
    module = build_classifier(run.config, data.spec)
    trainer = build_trainer(run.config, build_probes(run.config), loggers, run_folder, False)
    trainer.callbacks.append(times)
    start = harness.clock()
    trainer.fit(module, datamodule=data)
    end = harness.clock()
    trainer.save_checkpoint(run_folder.checkpoints / LAST)
    checkpoint = harness.clock() - end
    close(loggers, failed=False)
    return end - start, times.seconds(), checkpoint


def plain_loop(run: RunPlan, data: TensorDataModule) -> tuple[list[float], int]:
    """Seconds of the epochs of the shortest loop, and the FLOPs of one."""
    module = build_classifier(run.config, data.spec).to(memory_format=torch.channels_last)
    optimizer = module.make_optimizer(module.network.parameters())
    module.train()

    def step(index: torch.Tensor) -> None:
        x = data.train.x[index].float().div_(255).contiguous(memory_format=torch.channels_last)
        loss = torch.nn.functional.cross_entropy(module.network(x), data.train.y[index])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    taken = []
    for _ in range(run.config.epochs):
        start = harness.clock()
        for index in torch.randperm(len(data.train)).split(run.config.batch_size):
            step(index)
        taken.append(harness.clock() - start)
    with FlopCounterMode(display=False) as counter:
        step(torch.arange(run.config.batch_size))
    return taken, counter.get_total_flops() * len(data.train) // run.config.batch_size


def measured(name: str, overrides: list[str], n: int, batch: int, folder: Path) -> Iterator[Row]:
    """Overhead of the loop, share of the bound, and a checkpoint."""
    images = ["data=cifar10", "standin=true", "task=all", f"n={n}", f"batch_size={batch}"]
    rest = ["data.size=32", "callbacks=none", f"epochs={EPOCHS}", f"paths.cache={folder}/cache"]
    rest += ["checkpoint_seconds=3600"]
    job = planned_run(*images, *rest, *overrides)
    data = build_data(job.config)
    ours, plain, saves, products_seconds, flops = [], [], [], [], 0
    for number in range(REPEATS):
        epochs, flops = plain_loop(job, data)
        plain += epochs[1:-1]
        products_seconds.append(seconds(products))
        _, epochs, save = through_fit(job, data, folder / f"{name}{number}")
        ours += epochs
        saves.append(save)
    taken, peer = min(ours), min(plain)
    rate = 10 * 2 * 1024**3 / min(products_seconds)
    case = f"{name}, {n:,} images, batch {batch}"
    note = f"overhead {taken / peer:.2f}x; {n / taken:.0f} images/s; W&B and CSV logging on"
    yield Row(case, taken, "plain loop, channels_last", peer, 1 / 1.05, note)
    note = f"the share reached; products run at {rate / 1e9:.0f} GFLOP/s"
    yield Row(case, taken, "bound: FLOPs", flops / rate, None, note)
    yield Row(f"{name}: a checkpoint", min(saves), "the 15 s between two", 15.0, 20)


def run() -> Iterator[Row]:
    """Three rows for each network."""
    os.environ["WANDB_MODE"] = "offline"
    with tempfile.TemporaryDirectory() as folder:
        for name, (overrides, n, batch) in CASES.items():
            yield from measured(name, overrides, n, batch, Path(folder))
