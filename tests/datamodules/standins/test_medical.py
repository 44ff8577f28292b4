"""Every medical stand-in, written small, through its real reader and the shared datamodule."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf

from datamodules.subset import draw_subset
from datamodules.tasks.all import All
from datamodules.tasks.task import Labels

NAMES = ("brats", "dbc", "prostate_mri", "rsna_ih_ct", "chexpert", "mura", "oai", "isic")
IMAGES = 48
CONF = Path(__file__).parents[3] / "conf" / "data"


def config(name, cache, **changes):
    cfg = OmegaConf.load(CONF / f"{name}.yaml")
    cfg.merge_with({"paths": {"data": str(cache / "data"), "cache": str(cache)}})
    cfg.merge_with({"standin": {"images": IMAGES}, "size": 16, "test_n": 12, **changes})
    OmegaConf.resolve(cfg)
    del cfg["paths"]
    return cfg


@pytest.fixture(scope="module", params=NAMES)
def written(request, tmp_path_factory):
    """The name of a set, the folder of its stand-in, and its reader with the config's options."""
    cache = tmp_path_factory.mktemp(request.param)
    cfg = config(request.param, cache)
    root = cache / "root"
    root.mkdir()
    instantiate(cfg.standin)(root=root, size=16)
    return request.param, root, instantiate(cfg.reader)(root=root)


def test_reader_finds_what_the_writer_promises(written):
    name, _, reader = written
    listing = reader.listing()
    counts = np.bincount(listing.labels[listing.labels >= 0], minlength=2)
    assert counts.min() >= IMAGES // 2
    assert len(np.unique(listing.groups)) > 4
    picture = reader.read(0)
    assert picture.dtype == np.uint8
    assert picture.shape[2:] == ((3,) if name == "isic" else ())
    assert picture.std() > 5


def test_images_without_the_lesion_differ_from_images_with_it(written):
    name, root, reader = written
    listing = reader.listing()
    levels = [reader.read(i).astype(float) for i in range(len(listing))]
    assert len({level.shape for level in levels}) == 1
    near = [np.abs(a - b).max() for a, b in zip(levels, levels[1:], strict=False)]
    # MURA's and CheXpert's second views aside, no two neighbours are copies of each other
    assert np.mean(np.array(near) > 0) > 0.8


def test_same_seed_same_data_other_seed_other_data(written, tmp_path):
    name, root, reader = written
    expected = reader.listing()
    for seed, same in ((0, True), (1, False)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        cfg = config(name, tmp_path, standin={"images": IMAGES, "seed": seed})
        instantiate(cfg.standin)(root=folder, size=16)
        again = instantiate(cfg.reader)(root=folder)
        listing = again.listing()
        alike = len(listing) == len(expected) and all(
            np.array_equal(again.read(i), reader.read(i)) for i in range(0, len(listing), 7)
        )
        assert alike == same


def test_split_keeps_groups_apart_and_the_record_says_standin(written, tmp_path):
    name, root, _ = written
    cfg = config(name, tmp_path, root=str(root))
    data = instantiate(cfg, task=All(), n=12, seed=0, batch_size=4, cache=tmp_path)
    data.setup()
    assert not set(data.train.group.tolist()) & set(data.test.group.tolist())
    assert np.bincount(data.train.y).tolist() == np.bincount(data.test.y).tolist() == [6, 6]
    assert data.train.x.shape == (12, cfg.channels, 16, 16)


@pytest.mark.parametrize("name", NAMES)
def test_standin_serves_the_config_as_it_is(name, tmp_path):
    cfg = config(name, tmp_path, standin={"images": 12})
    cfg.standin.size = 16
    data = instantiate(cfg, task=All(), n=4, seed=0, batch_size=4, cache=tmp_path, use_standin=True)
    data.test_n = 4
    data.setup()
    assert data.spec.standin
    assert data.spec.domain == "medical"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_full_size_serves_1750_and_750_under_every_rule(name, tmp_path):
    rules = {
        "brats": [{}, {"gap_rule": "reference"}],
        "dbc": [{}, {"gap_rule": "reference"}],
        "prostate_mri": [{}, {"modality": "us"}, {"modality": "us", "score": "target"}],
        "chexpert": [
            {"labels": policy, "frontal": True}
            for policy in ("reference", "u_zeros", "u_ones", "u_ignore", "explicit_only")
        ],
        "mura": [{}, {"region": "shoulder"}],
    }
    cfg = config(name, tmp_path, standin={"images": 2600})
    instantiate(cfg.standin)(root=tmp_path)
    for options in rules.get(name, [{}]):
        listing = partial(instantiate(cfg.reader), **options)(root=tmp_path).listing()
        tasks = [All().labels(listing, seed=0)]
        if name == "rsna_ih_ct":
            drawn = np.flatnonzero(listing.findings["epidural"] >= 0)
            tasks.append(Labels(drawn, listing.findings["epidural"][drawn], ("no", "epidural")))
        for labels in tasks:
            subset = draw_subset(labels, listing.groups[labels.index], 750, seed=0)
            assert len(subset.train) >= 1750
