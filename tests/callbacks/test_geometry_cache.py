import logging
from functools import partial

import torch

from callbacks.geometry_cache import geometry_cache
from metrics.functional.initial_geometry import initial_geometry
from tests.callbacks.subjects import random_subject
from tests.callbacks.test_geometric_velocity import SHAPE, mlp, probe


def test_an_estimate_is_announced_once_and_not_if_it_is_cached(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    estimate = partial(initial_geometry, mlp(), SHAPE, 8, 1000, 1.0, "logit")
    cache = geometry_cache(tmp_path, "velocity", SHAPE)
    first = estimate(cache, seed=1)
    estimate(cache, seed=2)
    size = " x ".join(map(str, SHAPE))
    (message,) = caplog.messages
    assert message == (
        f"velocity: estimates G_F of untrained networks at {size}, once for this network and "
        "image size (cached) ..."
    )
    again = estimate(geometry_cache(tmp_path, "velocity", SHAPE), seed=1)
    assert torch.equal(again.dense(), first.dense())
    assert len(caplog.messages) == 1


def test_the_velocity_announces_its_estimate(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    for _ in range(2):
        probe(cache=tmp_path).measure(random_subject(mlp()))
    (message,) = caplog.messages
    assert message.startswith("geometric_velocity: estimates G_F of untrained networks at 1 x 8 x")
