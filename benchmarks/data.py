"""Images from disk: the second start of a run and one epoch, against decoding item by item."""

import tempfile
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset

from benchmarks.harness import Row, compare
from datamodules.image_data import ImageData, ImageModule
from datamodules.readers.image_folder import ImageFolder
from datamodules.standins.objects import objects
from datamodules.tasks.all import All

SIZE = 224
DISTINCT = 250  # pictures drawn; each is written to ten files


class ItemByItem(Dataset[tuple[torch.Tensor, int]]):
    """As the published code: open, resize and convert each image at every access."""

    def __init__(self, root: Path) -> None:
        self.paths = sorted(root.rglob("*.jpg"))

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, int]:
        with Image.open(self.paths[i]) as image:
            small = image.convert("RGB").resize((SIZE, SIZE), Image.Resampling.BILINEAR)
        pixels = torch.from_numpy(np.array(small)).permute(2, 0, 1).float().div_(255)
        return pixels, int(self.paths[i].parent.name)


def run() -> Iterable[Row]:
    """2,500 JPEG files of 128 x 128 pixels at 224 x 224 x 3: 1,750 to train, 750 to test."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "images"
        _write(root)
        _open(root).setup()  # the first start: decoded into the cache
        ours, peer = compare(partial(_first_batch, root), partial(_whole_set, root), repeats=1)
        note = "second start: listing, checksums of 376 MB, statistics; goal 2 s after the imports"
        yield Row("first batch of 2,500 cached images", ours, "decode them all", peer, None, note)
        data = _open(root)
        data.setup()
        items = torch.utils.data.Subset(ItemByItem(root), range(len(data.train)))
        loader = DataLoader(items, batch_size=64, shuffle=True)
        ours, peer = compare(
            lambda: [batch.y for batch in data.train_dataloader()],
            lambda: [y for _, y in loader],
            repeats=1,
        )
        yield Row("an epoch of 1,750 images", ours, "DataLoader, item by item", peer)


def _write(root: Path) -> None:
    random = np.random.default_rng(0)
    for label in (0, 1):
        (root / str(label)).mkdir(parents=True)
        pictures = objects(np.full(DISTINCT // 2, label), 128, random)
        for k in range(1250):
            Image.fromarray(pictures[k % len(pictures)]).save(root / str(label) / f"{k}.jpg")


def _open(root: Path) -> ImageModule:
    return ImageData(
        name="benchmark",
        reader=ImageFolder,
        root=str(root),
        task=All(),
        n=1750,
        seed=0,
        batch_size=64,
        cache=root.parent / "cache",
        size=SIZE,
        channels=3,
        test_n=750,
    ).module()


def _first_batch(root: Path) -> torch.Tensor:
    data = _open(root)
    data.setup()
    return next(iter(data.train_dataloader())).x


def _whole_set(root: Path) -> list[torch.Tensor]:
    return [item[0] for item in ItemByItem(root)]
