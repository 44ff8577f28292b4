import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits
from sklearn.neighbors import NearestNeighbors

from metrics.functional import neighbour_certificate
from metrics.functional.neighbour_certificate import nearest_neighbour_certificate
from tests.memory import peak_memory
from tests.parity import agree


def draw(seed: int, points: int = 12, train: int = 40, features: int = 3, classes: int = 3):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(points, features, generator=generator, dtype=torch.float64)
    train_x = torch.randn(train, features, generator=generator, dtype=torch.float64)
    y = torch.randint(classes, (points,), generator=generator)
    return x, y, train_x, torch.arange(train) % classes


@pytest.fixture(scope="module")
def digits():
    data = load_digits()
    x, y = torch.tensor(data.data) / 16, torch.tensor(data.target)
    return x[:300], y[:300], x[300:], y[300:]


def test_two_points_in_the_plane():
    # x = 0 between a = (1, 0) and b = (0, 3): the bisector is 8 / (2 sqrt 10) away.
    x, train = torch.zeros(1, 2), torch.tensor([[1.0, 0.0], [0.0, 3.0]])
    found = nearest_neighbour_certificate(x, torch.tensor([0]), train, torch.tensor([0, 1]))
    assert (found.same.item(), found.other.item(), found.radius.item()) == (1.0, 3.0, 1.0)
    assert found.sharp_radius.item() == pytest.approx(8 / (2 * math.sqrt(10)))


def test_on_the_line_both_bounds_are_the_exact_radius():
    # Opposite sides: the plane between -1 and 3 is at 1, the triangle bound (3 - 1)/2 is 1 too.
    x, train = torch.zeros(1, 1), torch.tensor([[-1.0], [3.0]])
    found = nearest_neighbour_certificate(x, torch.tensor([0]), train, torch.tensor([0, 1]))
    assert (found.radius.item(), found.sharp_radius.item()) == (1.0, 1.0)


def test_sharp_bound_equals_a_loop_over_all_pairs():
    x, y, train_x, train_y = draw(0)
    found = nearest_neighbour_certificate(x, y, train_x, train_y, candidates=len(train_x))
    for point, label, radius, triangle in zip(x, y, found.sharp_radius, found.radius, strict=True):
        d = (point - train_x).norm(dim=1)
        best = -math.inf
        for i in (train_y == label).nonzero()[:, 0]:
            j = train_y != label
            planes = (d[j] ** 2 - d[i] ** 2) / (2 * (train_x[i] - train_x[j]).norm(dim=1))
            best = max(best, float(planes.min()))
        assert float(radius) == pytest.approx(best if triangle > 0 else float(triangle))


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_no_perturbation_within_the_radius_changes_the_answer(seed):
    x, y, train_x, train_y = draw(seed)
    found = nearest_neighbour_certificate(x, y, train_x, train_y, candidates=3)
    sure = found.sharp_radius > 0
    direction = torch.randn(200, *x.shape, generator=torch.Generator().manual_seed(seed)).double()
    direction = direction / direction.norm(dim=-1, keepdim=True)
    moved = x + direction * found.sharp_radius.clamp_min(0)[:, None] * (1 - 1e-9)
    answer = train_y[torch.cdist(moved, train_x).argmin(-1)]
    assert (answer == y)[:, sure].all()


@given(st.integers(0, 10_000), st.floats(0.1, 10))
@settings(max_examples=25, deadline=None)
def test_order_of_bounds_and_scale_shift_rotation_rules(seed, factor):
    x, y, train_x, train_y = draw(seed)
    one = nearest_neighbour_certificate(x, y, train_x, train_y)
    many = nearest_neighbour_certificate(x, y, train_x, train_y, candidates=8)
    right = one.radius > 0
    assert (one.sharp_radius >= one.radius)[right].all()
    assert (many.sharp_radius >= one.sharp_radius - 1e-12)[right].all()
    assert torch.equal(right, train_y[torch.cdist(x, train_x).argmin(1)] == y)
    generator = torch.Generator().manual_seed(seed)
    turn, _ = torch.linalg.qr(torch.randn(3, 3, generator=generator, dtype=torch.float64))
    moved = [factor * points @ turn + 5 for points in (x, train_x)]
    other = nearest_neighbour_certificate(moved[0], y, moved[1], train_y)
    torch.testing.assert_close(other.radius, factor * one.radius, rtol=1e-6, atol=1e-8)
    torch.testing.assert_close(other.sharp_radius, factor * one.sharp_radius, rtol=1e-6, atol=1e-8)


def test_blocks_do_not_change_the_result(monkeypatch):
    x, y, train_x, train_y = draw(1)
    whole = nearest_neighbour_certificate(x, y, train_x, train_y, candidates=5)
    monkeypatch.setattr(neighbour_certificate, "QUERY_BLOCK", 5)
    monkeypatch.setattr(neighbour_certificate, "TRAIN_BLOCK", 7)
    blocks = nearest_neighbour_certificate(x, y, train_x, train_y, candidates=5)
    torch.testing.assert_close(blocks.radius, whole.radius, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(blocks.sharp_radius, whole.sharp_radius, rtol=1e-9, atol=1e-9)


def test_duplicates_with_opposite_labels_tie_and_are_not_certified(digits):
    x, _, train_x, _ = digits
    image = train_x[:1].float()  # float32 copies far from the mean: products alone leave 1e-4
    train = torch.cat([image, image, train_x[5:30].float()])
    train_y = torch.tensor([0, 1] + [1] * 25)
    found = nearest_neighbour_certificate(
        torch.cat([image, x[:1].float()]), torch.zeros(2), train, train_y, candidates=2
    )
    assert found.same[0] == found.other[0] == 0
    assert (found.sharp_radius <= 0).all()
    assert found.certified_accuracy([0.0]).item() == 0


def test_candidate_with_a_twin_of_another_class_does_not_spoil_the_bound():
    # The second nearest of the class, 3, is also a training point of the other class.
    train, train_y = torch.tensor([[1.0], [3.0], [3.0]]), torch.tensor([0, 0, 1])
    found = nearest_neighbour_certificate(
        torch.zeros(1, 1), torch.tensor([0]), train, train_y, candidates=2
    )
    assert found.sharp_radius.item() == 2.0  # the plane between 1 and 3


def test_class_without_training_points_is_wrong_and_counted():
    train_x, train_y = torch.tensor([[0.0], [1.0]]), torch.tensor([0, 1])
    found = nearest_neighbour_certificate(
        torch.tensor([[0.0]]), torch.tensor([2]), train_x, train_y
    )
    assert found.unseen == 1
    assert found.certified_accuracy([0.0]).item() == 0


def test_digits_sharper_bound_certifies_more(digits):
    found = nearest_neighbour_certificate(*digits, candidates=4)
    triangle = found.certified_accuracy([0.0, 0.2, 0.4], sharp=False)
    sharp = found.certified_accuracy([0.0, 0.2, 0.4])
    assert triangle[0] == sharp[0] == found.scalars()["accuracy"] > 0.95
    assert (sharp[1:] > triangle[1:]).all()


@pytest.mark.parity
@pytest.mark.parametrize(("p", "metric"), [(2.0, "euclidean"), (math.inf, "chebyshev")])
def test_distances_agree_with_sklearn(digits, p, metric):
    x, y, train_x, train_y = (t[:60] if i < 2 else t for i, t in enumerate(digits))
    found = nearest_neighbour_certificate(x, y, train_x, train_y, p=p)
    theirs = []
    for point, label in zip(x, y, strict=True):
        pair = [
            NearestNeighbors(n_neighbors=1, algorithm="brute", metric=metric)
            .fit(train_x[mask])
            .kneighbors(point[None])[0][0, 0]
            for mask in (train_y == label, train_y != label)
        ]
        theirs.append(pair)
    agree(
        f"nearest_neighbour_certificate(p={p:g})",
        "sklearn.neighbors.NearestNeighbors",
        torch.stack([found.same, found.other], 1),
        theirs,
        rtol=1e-9,
        why="differences in float64 against a brute-force search",
    )
    assert (found.sharp_radius is None) == (p != 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x, y, t, u: (x, y, t, torch.zeros_like(u)), "two classes"),
        (lambda x, y, t, u: (x[:0], y[:0], t, u), "one point"),
        (lambda x, y, t, u: (x[:, :2], y, t, u), "points of train_x"),
        (lambda x, y, t, u: (x * math.nan, y, t, u), "NaN"),
    ],
)
def test_bad_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        nearest_neighbour_certificate(*change(*draw(0)))


def test_memory_does_not_grow_with_the_size_of_images():
    """Blocks are limited in values, not only in rows: 500 images of 3 x 224 x 224 take 0.6 GB."""
    x, y = torch.rand(500, 150_528), torch.arange(500) % 2
    with peak_memory() as peak:
        nearest_neighbour_certificate(x[:8], y[:8], x, y)
    assert peak.bytes < 450e6
