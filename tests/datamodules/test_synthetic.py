from functools import partial

import pytest
import torch

from datamodules.errors import DataError
from datamodules.laws.gaussian import Gaussian
from datamodules.laws.isotropic import Isotropic
from datamodules.laws.plane import Plane
from datamodules.laws.simplicity import Simplicity
from datamodules.synthetic import SyntheticData
from datamodules.tasks.all import All
from tests.datamodules.laws.geometries import decaying

LAWS = [Plane(), Gaussian(partial(decaying, 48)), Isotropic("quadratic"), Simplicity()]


def module(law, task=None, n=30, **settings):
    data = SyntheticData(
        name="toy",
        law=law,
        task=task or All(),
        n=n,
        seed=0,
        batch_size=8,
        channels=3,
        size=4,
        test_n=20,
        **settings,
    ).module()
    data.setup()
    return data


@pytest.mark.parametrize("law", LAWS)
def test_the_spec_says_what_the_tensors_are(law):
    data = module(law)
    assert data.train.x.shape == (30, 3, 4, 4)
    assert data.train.x.dtype == torch.float32
    assert data.spec.domain == "synthetic"
    assert data.spec.value_range is None
    assert (data.spec.n, data.spec.test_n, data.spec.dimension) == (30, 20, 48)
    assert data.spec.mean == pytest.approx(data.train.x.double().mean((0, 2, 3)).tolist())
    assert torch.equal(data.train.images(), data.train.x)  # no division by 255


@pytest.mark.parametrize("law", LAWS)
def test_batches_come_from_it(law):
    batches = list(module(law).train_dataloader())
    assert [len(batch.y) for batch in batches] == [8, 8, 8, 6]


def test_directions_and_variants_are_there_for_probes():
    assert module(Plane()).directions.shape == (2, 48)
    assert set(module(Simplicity()).variants) == {"linear", "nonlinear"}
    assert module(Plane()).variants == {}


def test_label_noise_works_here_too():
    data = module(Plane(), All(noise=1.0), n=200)
    assert 60 < data.train.corrupted.sum() < 140
    assert not data.test.corrupted.any()


def test_one_example_is_not_enough():
    with pytest.raises(DataError, match="n=1"):
        module(Plane(), n=1)
