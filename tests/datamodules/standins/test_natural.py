from pathlib import Path

import numpy as np
import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf
from sklearn.linear_model import LogisticRegression

from datamodules.standins import cifar10, cifar100, fashion_mnist, imagenet, mnist, svhn
from datamodules.standins.objects import objects
from datamodules.tasks.pair import Pair

CONF = Path(__file__).parents[3] / "conf"
NAMES = ("mnist", "fashion_mnist", "cifar10", "svhn", "imagenet")


def configured(name, tmp_path, use_standin=True, **changes):
    """The data set as its own config says, on a small stand-in, without the rest of conf."""
    config = OmegaConf.merge(
        {"paths": {"data": str(tmp_path / "data"), "cache": str(tmp_path / "cache")}},
        {"data": OmegaConf.load(CONF / "data" / "base.yaml")},
        {"data": OmegaConf.load(CONF / "data" / f"{name}.yaml")},
        {"preparation": OmegaConf.load(CONF / "config.yaml").preparation},
        {"data": changes},
    )
    data = config.data
    data.pop("protocols", None)
    assert data.pop("defaults") == ["base"]
    assert data.pop("default_task") in ("all", "pair")
    run = {"task": Pair(), "n": 20, "seed": 0, "batch_size": 8, "cache": tmp_path / "cache"}
    return instantiate(data, **run, use_standin=use_standin).module()


@pytest.mark.parametrize("name", NAMES)
def test_every_config_runs_on_its_standin(tmp_path, name):
    changes = {"standin": {"images": 120}, "size": 32, "test_n": 4}
    if name == "imagenet":
        changes["reader"] = {"minimum": 30}
    data = configured(name, tmp_path, **changes)
    data.setup()
    batch = next(iter(data.train_dataloader()))
    assert batch.x.shape == (8, data.spec.channels, 32, 32)
    assert data.spec.standin
    assert data.spec.name == name
    assert min(data.spec.std) > 0.02
    assert data.train.y.sum() == 10


@pytest.mark.parametrize("name", NAMES)
def test_missing_data_is_told_not_replaced(tmp_path, name, monkeypatch):
    changes = {} if name == "imagenet" else {"reader": {"download": False}}
    data = configured(name, tmp_path, use_standin=False, test_n=4, **changes)
    with pytest.raises(Exception, match=f"`{name}` was not found.*{tmp_path}"):
        data.setup()


@pytest.mark.parametrize("module", [mnist, fashion_mnist, cifar10, cifar100, svhn, imagenet])
def test_a_seed_decides_every_byte(tmp_path, module):
    contents = []
    for part, seed in (("a", 1), ("b", 1), ("c", 2)):
        root = tmp_path / part
        root.mkdir()
        module.write(root, seed=seed, images=40)
        files = sorted(p for p in root.rglob("*") if p.is_file())
        # a .mat file begins with the time it was written at
        contents.append([(p.relative_to(root), p.read_bytes()[128:]) for p in files])
    assert contents[0] == contents[1] != contents[2]


def test_difficulty_makes_classes_harder_to_tell_apart():
    def accuracy(difficulty):
        labels = np.arange(600) % 2 * 5
        random = np.random.default_rng(0)
        x = objects(labels, 16, random, difficulty).reshape(600, -1) / 255
        model = LogisticRegression(C=0.01, max_iter=200).fit(x[:400], labels[:400])
        return model.score(x[400:], labels[400:])

    easy, hard = accuracy(0.0), accuracy(1.0)
    assert easy > 0.9
    assert hard < easy - 0.05
