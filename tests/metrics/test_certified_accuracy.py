import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.certified_accuracy import CertifiedAccuracy
from metrics.functional.certified_accuracy import certified_accuracy
from metrics.functional.margin import margins
from tests.metrics.contract import check_contract

RADII = [0.0, 36 / 255, 72 / 255, 108 / 255, 1.0]
seeds = st.integers(0, 10_000)


def draw(seed: int, points: int = 40, classes: int = 4) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(points, classes, generator=generator, dtype=torch.float64)
    return scores, torch.randint(classes, (points,), generator=generator)


def test_linear_classifier_is_certified_up_to_its_exact_distance_to_the_boundary():
    # f(x) = x is 1-Lipschitz and its boundary x_1 = x_2 lies |x_1 - x_2| / sqrt(2) away.
    x = torch.tensor([[3.0, 1.0], [1.0, 3.0], [2.0, 1.0]], dtype=torch.float64)
    y = torch.tensor([0, 1, 0])
    for point, label, distance in zip(
        x, y, [math.sqrt(2), math.sqrt(2), math.sqrt(0.5)], strict=True
    ):
        just_inside, just_outside = distance * (1 - 1e-12), distance * (1 + 1e-12)
        curve = certified_accuracy(
            point[None], label[None], [just_inside, just_outside], lipschitz=1
        )
        assert curve.accuracy.tolist() == [1.0, 0.0]


def test_inequality_is_strict():
    scores = torch.tensor([[math.sqrt(2) * 0.5, 0.0]], dtype=torch.float64)
    assert certified_accuracy(scores, torch.tensor([0]), 0.5, lipschitz=1).accuracy.tolist() == [
        0.0
    ]
    assert certified_accuracy(scores, torch.tensor([0]), 0.4999, lipschitz=1).accuracy.tolist() == [
        1.0
    ]


@pytest.mark.parametrize(
    "row", [[1.0, 1.0], [math.nan, 0.0], [1.0, math.nan], [math.inf, 0.0], [1.0, -math.inf]]
)
def test_ties_nan_and_infinity_are_never_certified(row):
    result = certified_accuracy(
        torch.tensor([row, [2.0, 0.0]]), torch.tensor([0, 0]), RADII, lipschitz=1
    )
    assert result.accuracy.max() == 0.5  # the sound point alone
    assert result.undefined == (0 if row == [1.0, 1.0] else 1)


def test_collapsed_network_has_no_accuracy_at_all():
    result = certified_accuracy(torch.full((10, 10), math.nan), torch.zeros(10), RADII, lipschitz=1)
    assert result.accuracy.tolist() == [0.0] * len(RADII)
    assert result.undefined == 10


def test_margin_statistics():
    scores = torch.tensor([[4.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 0.0]])
    result = certified_accuracy(scores, torch.zeros(4), 0.0, lipschitz=1)
    assert result.mean_margin == 1.5
    assert result.median_margin == 2.0
    assert result.scalars()["cra@0"] == 0.75


def test_float32_scores_are_compared_in_float64():
    # Both scores are exact in float32, their difference 1 + 2^-30 is not: it would become 1.
    scores = torch.tensor([[1.0, -(2.0**-30)]], dtype=torch.float32)
    assert margins(scores, torch.tensor([0])).item() == 1 + 2**-30


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_curve_falls_and_starts_at_the_accuracy(seed):
    scores, y = draw(seed)
    result = certified_accuracy(scores, y, RADII, lipschitz=1)
    assert (result.accuracy.diff() <= 0).all()
    assert result.accuracy[0] == (scores.argmax(1) == y).double().mean()


@given(seeds, st.floats(0.01, 100))
@settings(max_examples=30, deadline=None)
def test_scaling_rules(seed, factor):
    scores, y = draw(seed)
    radii = torch.tensor(RADII, dtype=torch.float64)
    plain = certified_accuracy(scores, y, radii, lipschitz=1).accuracy
    # Scaled scores come from a network with that Lipschitz constant.
    assert torch.equal(certified_accuracy(factor * scores, y, radii, factor).accuracy, plain)
    # Input scaled by b: the network is 1/b-Lipschitz in the new unit, radii are b times as long.
    rescaled = certified_accuracy(scores, y, factor * radii, 1 / factor).accuracy
    assert torch.equal(rescaled, plain)
    # A shift of all scores of a point and an order of the points or classes change nothing.
    shift = torch.linspace(-1, 1, len(scores), dtype=torch.float64)[:, None]
    torch.testing.assert_close(margins(scores + shift, y), margins(scores, y))
    order = torch.randperm(scores.shape[1], generator=torch.Generator().manual_seed(seed))
    relabelled = certified_accuracy(
        scores[:, order], order.argsort()[y], radii, lipschitz=1
    ).accuracy
    assert torch.equal(relabelled, plain)


def test_single_logit_as_a_pair_is_certified_by_its_absolute_value():
    logit = torch.tensor([0.3, -0.5], dtype=torch.float64)
    pair = torch.stack([-logit, logit], 1) / math.sqrt(2)
    curve = certified_accuracy(
        pair, (logit > 0).long(), [0.29, 0.31, 0.49, 0.51], lipschitz=1
    ).accuracy
    assert curve.tolist() == [1.0, 0.5, 0.5, 0.0]


@pytest.mark.parametrize(
    ("scores", "y", "radius", "lipschitz", "message"),
    [
        (torch.zeros(2, 2), torch.zeros(2), -0.1, 1.0, "at least 0"),
        (torch.zeros(2, 2), torch.zeros(2), math.nan, 1.0, "finite"),
        (torch.zeros(2, 2), torch.zeros(2), 0.1, 0.0, "lipschitz=0.0"),
        (torch.zeros(2, 2), torch.zeros(2), 0.1, math.inf, "lipschitz=inf"),
        (torch.zeros(2, 2), torch.tensor([0, 2]), 0.1, 1.0, r"0\.\.1"),
        (torch.zeros(2, 1), torch.zeros(2), 0.1, 1.0, "as_pair"),
        (torch.zeros(0, 2), torch.zeros(0), 0.1, 1.0, "at least one point"),
        (torch.zeros(2, 2), torch.zeros(3), 0.1, 1.0, "shape"),
    ],
)
def test_bad_input_is_named(scores, y, radius, lipschitz, message):
    with pytest.raises(ValueError, match=message):
        certified_accuracy(scores, y, radius, lipschitz)


def test_contract():
    scores, y = draw(0)
    scores[3, 1] = math.nan
    batches = [(scores[i : i + 10].float(), y[i : i + 10]) for i in range(0, 40, 10)]
    check_contract(lambda: CertifiedAccuracy(RADII, lipschitz=0.5), batches)


def test_class_equals_the_function():
    scores, y = draw(1)
    metric = CertifiedAccuracy(RADII, lipschitz=1)
    metric.update(scores[:7], y[:7])
    metric.update(scores[7:], y[7:])
    whole = certified_accuracy(scores, y, RADII, lipschitz=1)
    assert torch.equal(metric.result().accuracy, whole.accuracy)
    assert metric.result().mean_margin == pytest.approx(whole.mean_margin)
    assert metric.compute()["cra@36"] == whole.scalars()["cra@36"]


def test_class_without_points_says_so():
    with (
        pytest.warns(UserWarning, match="before the ``update``"),
        pytest.raises(ValueError, match="update first"),
    ):
        CertifiedAccuracy(RADII, lipschitz=1).compute()


def test_class_checks_radii_at_once():
    with pytest.raises(ValueError, match="at least 0"):
        CertifiedAccuracy([-1.0], lipschitz=1)
