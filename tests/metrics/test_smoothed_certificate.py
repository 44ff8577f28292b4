import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics.functional.smoothed_certificate import (
    ABSTAIN,
    smoothed_certificate,
    smoothed_estimate,
)
from metrics.functional.smoothing_counts import smoothing_counts

SIGMA, RADIUS = 1 / 8, 36 / 255


def two_classes(hits: torch.Tensor, trials: int) -> torch.Tensor:
    return torch.stack([hits, trials - hits], 1)


@pytest.mark.parametrize(
    ("trials", "hits", "largest"),
    [(1_000, 903, 0.3079), (10_000, 8_810, 0.3998), (100_000, 87_392, 0.4764)],
)
def test_hits_needed_and_largest_radius(trials, hits, largest):
    counts = two_classes(torch.tensor([hits - 1, hits, trials]), trials)
    found = smoothed_certificate(counts, torch.zeros(3), SIGMA, selection=counts)
    assert (found.radius > RADIUS).tolist() == [False, True, True]
    assert found.radius[2].item() == pytest.approx(largest, abs=5e-5)
    closed = SIGMA * stats.norm.ppf(0.001 ** (1 / trials))  # Beta^-1(alpha; n, 1) = alpha^(1/n)
    assert found.radius[2].item() == pytest.approx(closed, rel=1e-9)


def test_published_estimate_is_capped_by_its_clip():
    counts = torch.tensor([[1000, 0], [990, 10], [989, 11], [500, 500], [0, 1000]])
    found = smoothed_estimate(counts, torch.zeros(5), SIGMA)
    assert found.radius[0].item() == pytest.approx(0.2908, abs=5e-5)
    assert found.radius[1] == found.radius[0] > found.radius[2]
    assert found.radius[3] == 0  # a tie counts as right, as published
    assert found.radius[4] == -found.radius[0]
    assert found.certified_accuracy([0.0, 72 / 255, 108 / 255]).tolist() == [0.8, 0.6, 0.0]


def test_estimate_needs_less_than_the_certificate():
    # p_1 >= .8706 suffices for the estimate at 36/255 when p_2 = 1 - p_1.
    counts = two_classes(torch.tensor([870, 871]), 1000)
    assert (smoothed_estimate(counts, torch.zeros(2), SIGMA).radius > RADIUS).tolist() == [
        False,
        True,
    ]
    certificate = smoothed_certificate(counts, torch.zeros(2), SIGMA, selection=counts)
    assert certificate.certified_accuracy([RADIUS]).item() == 0


def test_linear_classifier_has_its_distance_to_the_plane_as_radius():
    # f(x) = [w.x + b > 0]: P(f(x + sigma z) = 1) = Phi(m / sigma) with m = (w.x + b) / ||w||, so
    # the smoothed radius is m itself, whatever sigma.
    w, b = torch.tensor([3.0, 4.0], dtype=torch.float64), 0.5
    x = torch.tensor([[0.02, -0.05], [-0.3, 0.0], [0.0, -0.1]], dtype=torch.float64)
    distance = (x @ w + b) / 5
    y = (distance > 0).long()

    def classify(copies: torch.Tensor) -> torch.Tensor:
        return (copies @ w + b > 0).long()

    throws = smoothing_counts(classify, x, SIGMA, classes=2, n=20_000, n0=100, batch=5_000)
    found = smoothed_certificate(throws.counts, y, SIGMA, throws.selection)
    assert found.prediction.tolist() == y.tolist()
    assert (found.radius <= distance.abs()).all()  # the bound: fails once in 330 seeds
    torch.testing.assert_close(found.radius, distance.abs(), rtol=0, atol=0.01)
    estimate = smoothed_estimate(throws.counts, y, SIGMA)
    torch.testing.assert_close(estimate.radius, distance.abs(), rtol=0, atol=0.005)


def test_unsure_points_abstain_and_are_counted():
    counts = torch.tensor([[520, 480], [999, 1]])
    found = smoothed_certificate(counts, torch.zeros(2), SIGMA, selection=counts)
    assert found.prediction.tolist() == [ABSTAIN, 0]
    assert found.radius[0] == 0
    assert found.abstained == 1
    assert found.scalars()["abstained"] == 0.5
    assert found.certified_accuracy([0.0]).item() == 0.5


def test_wrong_but_sure_is_not_certified():
    counts = torch.tensor([[1, 999]])
    found = smoothed_certificate(counts, torch.zeros(1), SIGMA, selection=counts)
    assert found.prediction.item() == 1
    assert found.radius.item() > RADIUS
    assert found.certified_accuracy([0.0]).item() == 0


def test_class_comes_from_the_selection_throws():
    selection, counts = torch.tensor([[1, 9]]), torch.tensor([[900, 100]])
    assert smoothed_certificate(counts, torch.zeros(1), SIGMA, selection).prediction == ABSTAIN


def test_without_selection_alpha_is_shared_over_the_classes():
    counts = torch.tensor([[950, 50, 0, 0]])
    shared = smoothed_certificate(counts, torch.zeros(1), SIGMA, alpha=0.004)
    separate = smoothed_certificate(counts, torch.zeros(1), SIGMA, counts, alpha=0.001)
    assert torch.equal(shared.radius, separate.radius)


@given(st.floats(0.01, 10), st.floats(0.1, 10))
@settings(max_examples=20, deadline=None)
def test_radius_is_in_units_of_sigma(sigma, factor):
    counts = torch.tensor([[950, 30, 20], [700, 200, 100]])
    for method in (smoothed_certificate, smoothed_estimate):
        small, large = (method(counts, torch.zeros(2), s) for s in (sigma, sigma * factor))
        torch.testing.assert_close(large.radius, factor * small.radius)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: smoothed_certificate(torch.zeros(1, 2), torch.zeros(1), 1.0), "one count"),
        (lambda: smoothed_certificate(torch.ones(1, 1), torch.zeros(1), 1.0), "2 classes"),
        (lambda: smoothed_certificate(torch.ones(1, 2), torch.tensor([2]), 1.0), r"0\.\.1"),
        (lambda: smoothed_certificate(torch.ones(1, 2), torch.zeros(1), 0.0), "sigma=0.0"),
        (lambda: smoothed_certificate(torch.ones(1, 2), torch.zeros(1), 1.0, alpha=0.0), "alpha"),
        (lambda: smoothed_estimate(torch.ones(1, 2), torch.zeros(1), 1.0, clip=0.5), "clip=0.5"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("alpha", [0.0, 1.0, 1.5, math.nan])
@pytest.mark.parametrize("selection", [None, torch.tensor([[9, 1, 0]])])
def test_alpha_is_a_probability(alpha, selection):
    with pytest.raises(ValueError, match="alpha"):
        smoothed_certificate(torch.tensor([[9, 1, 0]]), torch.tensor([0]), 1, selection, alpha)
