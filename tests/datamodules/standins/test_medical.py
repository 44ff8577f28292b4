"""Every medical stand-in, written small, through its real reader and the shared datamodule."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf

from datamodules.standins.rsna_ih_ct import _slices
from datamodules.subset import draw_subset
from datamodules.tasks.all import All
from datamodules.tasks.task import Labels

NAMES = ("brats", "dbc", "prostate_mri", "rsna_ih_ct", "chexpert", "mura", "oai", "isic")
IMAGES = 12
CONF = Path(__file__).parents[3] / "conf"


def config(name, cache, **changes):
    base, own = (OmegaConf.load(CONF / "data" / f"{file}.yaml") for file in ("base", name))
    assert own.pop("defaults") == ["base"]
    own.pop("protocols", None)
    cfg = OmegaConf.merge(base, own)
    cfg.preparation = OmegaConf.load(CONF / "config.yaml").preparation
    cfg.merge_with({"paths": {"data": str(cache / "data"), "cache": str(cache)}})
    cfg.merge_with({"standin": {"images": IMAGES}, "size": 16, "test_n": 4, **changes})
    OmegaConf.resolve(cfg)
    del cfg["paths"], cfg["preparation"]
    return cfg


@pytest.fixture(scope="module", params=NAMES)
def loaded(request, tmp_path_factory):
    """The set's config, and its datamodule, set up on a stand-in."""
    cache = tmp_path_factory.mktemp(request.param)
    cfg = config(request.param, cache)
    cfg.standin.size = 16
    settings = instantiate(
        cfg, task=All(), n=4, seed=0, batch_size=4, cache=cache, use_standin=True
    )
    data = settings.module()
    data.setup()
    return cfg, data


def test_standin_serves_the_config_as_it_is(loaded):
    cfg, data = loaded
    assert data.spec.standin
    assert data.spec.domain == "medical"
    assert data.train.x.shape == (4, cfg.channels, 16, 16)
    assert data.train.x.float().std() > 5


def test_split_is_balanced_and_keeps_groups_apart(loaded):
    _, data = loaded
    assert not set(data.train.group.tolist()) & set(data.test.group.tolist())
    assert np.bincount(data.train.y).tolist() == np.bincount(data.test.y).tolist() == [2, 2]


def test_same_seed_writes_the_same_data(loaded, tmp_path):
    cfg, data = loaded
    instantiate(cfg.standin)(root=tmp_path)
    roots = (data.settings.standin_root(), tmp_path)
    first, again = (data.settings.reader(root=root) for root in roots)
    listing = first.listing()
    labelled = listing.labels[listing.labels >= 0]
    assert np.bincount(labelled).min() >= IMAGES // 2
    np.testing.assert_array_equal(again.listing().labels, listing.labels)
    np.testing.assert_array_equal(again.listing().groups, listing.groups)
    for i in range(0, len(listing), 7):
        np.testing.assert_array_equal(again.read(i), first.read(i))


def test_other_seed_writes_other_data(tmp_path):
    readers = []
    for seed in (0, 1):
        (tmp_path / str(seed)).mkdir()
        cfg = config("isic", tmp_path, standin={"images": 4, "seed": seed})
        instantiate(cfg.standin)(root=tmp_path / str(seed), size=16)
        readers.append(instantiate(cfg.reader)(root=tmp_path / str(seed)))
        readers[-1].listing()
    assert not np.array_equal(readers[0].read(0), readers[1].read(0))


def test_difficulty_hides_the_lesion_and_nothing_else():
    bloody = np.arange(40) < 20

    def heads(difficulty):
        return _slices(np.random.default_rng(0), 24, "epidural", bloody, difficulty).astype(float)

    easy, middle, hidden = (heads(difficulty) for difficulty in (0.0, 0.5, 1.0))
    np.testing.assert_array_equal(easy[~bloody], hidden[~bloody])
    blood = [(image - hidden)[bloody].mean() for image in (easy, middle)]
    assert blood[0] > 1.5 * blood[1] > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_full_size_serves_1750_and_750_under_every_rule(name, tmp_path):
    rules = {
        "brats": [{}, {"gap_rule": "asymmetric"}],
        "dbc": [{}, {"gap_rule": "asymmetric"}],
        "prostate_mri": [{}, {"modality": "us"}, {"modality": "us", "score": "target"}],
        "chexpert": [
            {"labels": policy, "frontal": True}
            for policy in ("unstated_negative", "u_zeros", "u_ones", "u_ignore", "explicit_only")
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
