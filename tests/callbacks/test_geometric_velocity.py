from dataclasses import replace
from functools import partial

import pytest
import torch
from torch import nn

from callbacks.geometric_velocity import GeometricVelocity
from lightning_modules.networks.mlp import MLP
from metrics.functional.average_geometry import average_geometry
from metrics.functional.geometry import covariance_of
from metrics.functional.geometry_of import geometry_of
from metrics.functional.initial_geometry import initial_geometry, redrawn
from metrics.functional.input_gradients import input_gradients
from metrics.functional.point_pairs import pair_norm, pair_velocity
from records.cached import cached_archive
from tests.callbacks.subjects import (
    broken,
    on_one_process,
    on_two_processes,
    random_subject,
)

SHAPE = (1, 8, 8)


def mlp(seed: int = 0, outputs: int = 3, **options) -> MLP:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return MLP(1, 8, outputs, widths=(6,), **options)


def probe(**options) -> GeometricVelocity:
    return GeometricVelocity(**{"count": 40, "models": 8} | options)


def moved(subject, seed=1):
    """The subject an epoch later, with other weights."""
    return replace(subject, networks=(mlp(seed), *subject.networks[1:]), epoch=subject.epoch + 1)


def test_numbers_are_those_of_the_metric():
    subject = random_subject(mlp())
    velocity = probe(points="train", images=1000)
    first = velocity.measure(subject).scalars
    second = velocity.measure(moved(subject)).scalars
    x = subject.data.train.images(torch.arange(70))
    assert "geometry/velocity" not in first
    points = velocity._points(subject)
    before, after = (input_gradients(mlp(seed), points) for seed in (0, 1))
    covariance = covariance_of(x)
    product = geometry_of(mlp(), points, "logit").inner(covariance)
    expected = product / (pair_norm(before, len(points)) * covariance.norm)
    assert first["geometry/corr_s"] == pytest.approx(expected)
    assert second["geometry/velocity"] == pytest.approx(pair_velocity(after, before, len(points)))
    assert 0 < second["geometry/velocity"] < 1


def test_a_linear_network_has_one_direction_and_stands_still():
    linear = nn.Sequential(nn.Flatten(), nn.Linear(64, 2))
    linear.reset_parameters = linear[1].reset_parameters
    subject = random_subject(linear)
    velocity = probe(models=400)
    measured = velocity.measure(subject)
    difference = linear[1].weight[1] - linear[1].weight[0]
    assert len(measured.arrays["geometry/eigenvalues"]) == 1
    assert measured.arrays["geometry/eigenvalues"][0] == pytest.approx(
        float(difference.detach().square().sum())
    )
    later = velocity.measure(replace(subject, epoch=1)).scalars
    assert later["geometry/velocity"] == pytest.approx(0, abs=1e-6)
    # G_F of a linear network is a multiple of I, so G_F S G_F is one of S
    assert later["geometry/corr_gsg"] == pytest.approx(later["geometry/corr_s"], abs=0.02)
    assert later["geometry/g_f_error"] < 0.5


@pytest.mark.parametrize(("outputs", "scalar"), [(1, "logit"), (2, "difference"), (3, "logit")])
def test_auto_takes_the_scalar_that_two_classes_are_trained_by(outputs, scalar):
    subject = random_subject(mlp(outputs=outputs))
    auto, named = (probe(scalar=choice).measure(subject).scalars for choice in ("auto", scalar))
    assert auto == named


def test_an_ensemble_is_the_mean_over_its_members_with_its_error():
    networks = [mlp(seed) for seed in range(4)]
    subject = replace(random_subject(), networks=tuple(networks))
    velocity = probe(points="train")
    scalars = velocity.measure(subject).scalars
    expected = geometry_of(networks, velocity._points(subject), "logit")
    assert float(velocity.before[1].square().sum(1).mean()) == pytest.approx(expected.trace)
    assert scalars["geometry/error"] == pytest.approx(expected.error, rel=1e-4)
    alone = probe(points="train").measure(random_subject(networks[0])).scalars
    assert "geometry/error" not in alone
    assert alone["geometry/corr_s"] != scalars["geometry/corr_s"]


def test_points_are_shared_out_to_the_members_of_a_large_ensemble():
    subject = replace(random_subject(), networks=tuple(mlp(seed) for seed in range(30)))
    assert len(probe(count=128)._points(subject)) == 1024 // 30
    assert len(probe(count=128)._points(random_subject(mlp()))) == 128


def test_a_resumed_probe_goes_on_from_the_same_geometry():
    subject = random_subject(mlp())
    straight, stopped, resumed = probe(), probe(), probe()
    for velocity in (straight, stopped):
        velocity.measure(subject)
    state = stopped.state_dict()
    assert all(isinstance(v, int | tuple | torch.Tensor | None) for v in state.values())
    resumed.load_state_dict(state)
    assert resumed.measure(moved(subject)).scalars == straight.measure(moved(subject)).scalars
    probe().load_state_dict(probe().state_dict())  # nothing measured yet


def test_measured_twice_at_one_epoch_the_first_velocity_stands():
    subject = random_subject(mlp())
    velocity = probe()
    velocity.measure(subject)
    assert "geometry/velocity" in velocity.measure(moved(subject)).scalars
    again = velocity.measure(replace(moved(subject), last=True)).scalars
    assert "geometry/velocity" not in again


def test_g_f_is_estimated_once_per_architecture(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(
        "metrics.functional.initial_geometry.average_geometry",
        lambda *a, **k: calls.append(1) or average_geometry(*a, **k),
    )

    def estimate(network, sigma=1.0):
        return initial_geometry(
            network, SHAPE, 8, 1000, sigma, "logit", partial(cached_archive, tmp_path)
        )

    first = estimate(mlp(0))
    again = estimate(mlp(1))  # other weights, the same law
    assert len(calls) == 1
    assert torch.equal(first.dense(), again.dense())
    assert again.error == first.error
    estimate(mlp(init="glorot"))  # prints alike, drawn by another law
    estimate(mlp(activation="gelu"))
    estimate(mlp(), sigma=0.1)
    assert len(calls) == 4
    for path in tmp_path.glob("*.pt"):
        path.write_bytes(path.read_bytes()[:100])
    assert torch.equal(estimate(mlp()).dense(), first.dense())
    assert len(calls) == 5


def test_drawing_anew_leaves_the_network_alone():
    network = mlp()
    before = {name: value.clone() for name, value in network.state_dict().items()}
    other = redrawn(network)()
    assert not torch.equal(other.head.weight, network.head.weight)
    assert all(torch.equal(value, before[name]) for name, value in network.state_dict().items())


def test_large_images_stay_within_the_factor_limit():
    velocity = GeometricVelocity(count=10_000, images=10_000)
    subject = random_subject(mlp())
    subject.data.spec = replace(subject.data.spec, channels=3, size=224)
    points = velocity._points(subject)
    assert 4 * points.numel() <= 1.5e8


def test_a_diverged_network_is_refused():
    with pytest.raises(ValueError, match="NaN"):
        probe().take(random_subject(broken(mlp())))


def test_one_and_two_processes_agree():
    def measure(subject):
        velocity = probe(count=70)
        velocity.measure(subject)
        measured = velocity.measure(moved(subject))
        return measured.scalars, list(measured.arrays)

    subject = replace(random_subject(), networks=(mlp(), mlp(5)))
    expected, arrays = on_one_process(measure, subject)
    first, second = on_two_processes(measure, subject)
    assert first == (expected, arrays)
    assert second == (expected, [])
