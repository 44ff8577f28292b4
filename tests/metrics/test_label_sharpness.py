import importlib
import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits
from sklearn.metrics import pairwise_distances
from torch import Tensor

from metrics.functional import closest_pairs, matched_pairs, projection_bounds
from metrics.functional.balanced_draws import balanced_draws
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.task_difficulty import task_difficulty_ratio
from metrics.label_sharpness import LabelSharpness
from tests.metrics.contract import check_contract
from tests.parity import agree

# by name: the package exports the function under the same one
opposite_pairs = importlib.import_module("metrics.functional.opposite_pairs")


def digits(*classes: int) -> tuple[Tensor, Tensor]:
    data = load_digits()
    x, y = torch.from_numpy(data.images / 16), torch.from_numpy(data.target)
    kept = torch.isin(y, torch.tensor(classes))
    return x[kept], y[kept]


def cloud(n: int, d: int, classes: int = 2, seed: int = 0) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(n, d, generator=generator), torch.arange(n) % classes


def direct(x: Tensor, y: Tensor, groups: Tensor | None = None) -> tuple[float, tuple[int, int]]:
    """The definition, pair by pair."""
    x = x.flatten(1).double()
    pairs = [
        (float((x[i] - x[j]).norm()), (i, j))
        for i, j in itertools.combinations(range(len(x)), 2)
        if y[i] != y[j] and (groups is None or groups[i] != groups[j])
    ]
    distance, pair = min(pairs)
    return 1 / distance, pair


@pytest.mark.parametrize(("pair", "value"), [((4, 9), 0.6810), ((0, 1), 0.4450), ((3, 8), 0.6885)])
def test_digits(pair, value):
    x, y = digits(*pair)
    found = label_sharpness(x, y)
    assert found.value == pytest.approx(value, abs=5e-5)
    assert found.rms == pytest.approx(found.value * 8)
    assert found.finite == found.value
    assert found.low < found.value < found.high  # of a maximum: it has an interval, and not itself


@pytest.mark.parametrize("block", [7, 2048])
@pytest.mark.parametrize("classes", [2, 5])
def test_equals_the_definition(block, classes, monkeypatch):
    monkeypatch.setattr(closest_pairs, "BLOCK", block)
    x, y = cloud(60, 9, classes)
    groups = torch.arange(60) // 6
    found = label_sharpness(x, y, groups)
    value, pair = direct(x, y)
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.pair == pair
    assert found.between_groups == pytest.approx(direct(x, y, groups)[0], rel=1e-12)


def test_near_duplicates_of_opposite_label_in_float32():
    x, y = cloud(40, 5000)
    x = torch.cat([x, x + 1e-5 * cloud(40, 5000, seed=1)[0]])
    found = label_sharpness(x, torch.cat([y, 1 - y]), value_range=2)
    value, pair = direct(x, torch.cat([y, 1 - y]))
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.pair == pair


def test_equal_images_of_opposite_label_are_infinite_and_counted():
    x, y = cloud(40, 12)
    finite = label_sharpness(x, y).value
    found = label_sharpness(torch.cat([x, x[:3]]), torch.cat([y, 1 - y[:3]]))
    assert found.value == math.inf
    assert found.rms == math.inf
    assert found.zero_pairs == 3
    assert finite <= found.finite < math.inf
    constant = label_sharpness(torch.ones(4, 3), torch.tensor([0, 0, 1, 1]))
    assert (constant.value, constant.zero_pairs) == (math.inf, 4)
    assert constant.finite is None  # there is nothing else
    assert "k_f_finite" not in constant.scalars()


@pytest.mark.parametrize("union", [0, 4096])
def test_draws_from_one_gram_equal_draws_one_by_one(union, monkeypatch):
    monkeypatch.setattr(opposite_pairs, "UNION", union)
    x, y = cloud(90, 20, 3)
    groups = torch.arange(90) // 10
    found = label_sharpness(x, y, groups, draws=12, sample=60, seed=3)
    generator = torch.Generator().manual_seed(3)
    draws = balanced_draws(y, 12, 60, generator)
    expected = [direct(x[rows], y[rows])[0] for rows in draws]
    assert found.per_draw.tolist() == pytest.approx(expected, rel=1e-12)
    assert found.value == pytest.approx(sum(expected) / 12)
    apart = [direct(x[rows], y[rows], groups[rows])[0] for rows in draws]
    assert found.between_groups == pytest.approx(sum(apart) / 12, rel=1e-12)


def images_on_few_directions(n: int, d: int, noise: float, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    directions = torch.randn(8, d, generator=generator)
    rest = torch.randn(n, d, generator=generator)
    return torch.randn(n, 8, generator=generator) @ directions + noise * rest


def closest_by_differences(x: Tensor, forbidden: Tensor) -> tuple[float, tuple[int, int]]:
    exact = "donot_use_mm_for_euclid_dist"
    distances = torch.cdist(x.double(), x.double(), compute_mode=exact)
    distances[forbidden] = torch.inf
    i, j = divmod(int(distances.argmin()), len(x))
    return 1 / float(distances[i, j]), (i, j)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.uint8])
@pytest.mark.parametrize("noise", [0.1, 5.0])  # few pairs pass the bounds, or too many
@pytest.mark.parametrize("classes", [2, 3])
def test_short_projections_find_the_same_closest_pairs(noise, classes, dtype, monkeypatch):
    x = images_on_few_directions(1100, 300, noise)
    x = (x - x.min()) / (x.max() - x.min()) * 255
    x, y, groups = x.to(dtype), torch.arange(1100) % classes, torch.arange(1100) // 7
    used, multiplied = [], []

    class Watched(projection_bounds.ProjectionBounds):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            used.append(self)

    def watch(*arguments, **options):
        multiplied.append(arguments)
        return closest_pairs.closest_pairs(*arguments, **options)

    monkeypatch.setattr(opposite_pairs, "ProjectionBounds", Watched)
    monkeypatch.setattr(projection_bounds, "closest_pairs", watch)
    monkeypatch.setattr(closest_pairs, "BLOCK", 700)
    found = label_sharpness(x, y, groups, value_range=255.0)
    assert used
    assert bool(multiplied) == (noise == 5.0)
    alike = y[:, None] == y
    value, pair = closest_by_differences(x, alike)
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.pair == pair
    apart = closest_by_differences(x, alike | (groups[:, None] == groups))[0]
    assert found.between_groups == pytest.approx(apart, rel=1e-12)


def test_short_projections_find_equal_images_and_near_duplicates():
    x, y = images_on_few_directions(1100, 300, 0.1), torch.arange(1100) % 2
    x[5] = x[2]
    x[9] = x[4] * (1 + 1e-6)
    found = label_sharpness(x, y, value_range=100.0)
    assert (found.value, found.equal) == (math.inf, ((2, 5),))
    assert found.finite == pytest.approx(1 / float((x[9].double() - x[4].double()).norm()))


def test_draws_are_balanced_and_seeded():
    y = torch.tensor([0] * 70 + [1] * 30)
    draws = balanced_draws(y, 4, 41, torch.Generator().manual_seed(0))
    assert all(y[rows].bincount().tolist() == [20, 20] for rows in draws)
    assert all(len(rows.unique()) == 40 for rows in draws)
    x = cloud(100, 4)[0]
    first, again, other = (
        label_sharpness(x, y, draws=4, sample=40, seed=seed) for seed in (0, 0, 1)
    )
    assert torch.equal(first.per_draw, again.per_draw)
    assert not torch.equal(first.per_draw, other.per_draw)


def test_random_pairs_are_the_published_number_of_elementwise_pairs():
    index = torch.arange(1000)
    i, j = matched_pairs.matched_pairs(index, torch.Generator().manual_seed(0))
    assert len(i) == len(j) == 2000
    assert i.bincount().tolist() == [2] * 1000
    x, y = digits(4, 9)
    assert label_sharpness(x, y, pairs="random").value < label_sharpness(x, y).value


def test_inverted_pairs_are_of_equal_labels(monkeypatch):
    monkeypatch.setattr(matched_pairs, "PAIR_BATCH", 1)  # every pair
    x = torch.tensor([[0.0], [1.0], [1.25], [3.0]])  # closest of one class: 0.25 apart; of two: 1
    y = torch.tensor([0, 1, 1, 0])
    found = label_sharpness(x, y, value_range=3, pairs="inverted")
    assert found.value == 4.0
    assert label_sharpness(x, y, value_range=3).value == 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": torch.zeros(20)}, "all 20 labels are 0"),
        ({"y": torch.zeros(19)}, r"y has shape \(19,\)"),
        ({"groups": torch.zeros(3)}, r"groups has shape \(3,\)"),
        ({"groups": torch.zeros(20)}, "no pair of different labels"),
        ({"x": torch.full((20, 2), torch.nan)}, "first in row 0"),
        ({"x": torch.zeros(0, 2)}, r"shape \(0, 2\)"),
        ({"x": 200 * torch.rand(20, 2)}, "more than value_range=1"),
        ({"pairs": "some"}, "pairs='some'"),
        ({"draws": -1}, "draws=-1"),
        ({"draws": 2}, "class 0 has 10, so use a sample of 2 to 20"),
    ],
)
def test_bad_input_is_named(change, message):
    x, y = cloud(20, 2)
    with pytest.raises(ValueError, match=message):
        label_sharpness(**{"x": x, "y": y} | change)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(1e-3, 1e3), st.integers(1, 3))
def test_scale_permutation_and_channel_rules(seed, scale, channels):
    x, y = cloud(40, 6, seed=seed)
    x = x.double()
    order = torch.randperm(40, generator=torch.Generator().manual_seed(seed))
    plain = label_sharpness(x, y)
    moved = label_sharpness((scale * x).repeat(1, channels)[order], y[order], value_range=scale)
    assert moved.value * scale * channels**0.5 == pytest.approx(plain.value, rel=1e-6)
    assert moved.rms == pytest.approx(plain.rms, rel=1e-6)
    assert sorted(order[list(moved.pair)].tolist()) == list(plain.pair)


def test_uint8_equals_float():
    x = torch.randint(0, 256, (40, 3, 4, 4), generator=torch.Generator().manual_seed(0))
    y = torch.arange(40) % 2
    whole = label_sharpness(x.to(torch.uint8), y, value_range=255)
    assert whole.value == label_sharpness(x.double(), y, value_range=255).value


@pytest.mark.parametrize("draws", [0, 5])
def test_contract(draws):
    x, y = cloud(48, 5)
    number, group = torch.arange(48), torch.arange(48) // 4
    columns = [tensor.split(12) for tensor in (x, y, number, group)]
    check_contract(lambda: LabelSharpness(draws=draws, sample=20), list(zip(*columns, strict=True)))


@pytest.mark.parametrize("size", [1e3, 1e20])
def test_an_outlier_hides_nothing_and_costs_only_its_own_pairs(size, monkeypatch):
    x, y = cloud(100, 30)
    expected = label_sharpness(x, y)
    measured = []
    closest = importlib.import_module("metrics.functional.closest_pairs")
    original = closest.exact_distances
    monkeypatch.setattr(
        closest,
        "exact_distances",
        lambda a, i, b, j: measured.append(len(i)) or original(a, i, b, j),
    )
    x, y = torch.cat([x, torch.full((1, 30), size)]), torch.cat([y, torch.tensor([0])])
    found = label_sharpness(x, y, value_range=2 * size)
    assert (found.value, found.pair) == (expected.value, expected.pair)
    if size < 1e6:  # beyond, float32 cannot hold the others beside it and all are measured
        assert sum(measured) < 60


@pytest.mark.parametrize("columns", [100_001, 150_528])
def test_more_than_1e5_values_an_image(columns):
    x, y = cloud(12, columns)
    x[7] = x[2] + 1e-4 * cloud(1, columns, seed=3)[0][0]
    found = label_sharpness(x, y, value_range=2)
    value, pair = direct(x, y)
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.pair == pair


def test_metric_refuses_nothing_and_numbers_for_some_batches():
    metric = LabelSharpness()
    with pytest.raises(ValueError, match="0 examples"):
        metric.result()
    x, y = cloud(4, 3)
    metric.update(x, y, torch.arange(4))
    with pytest.raises(ValueError, match="number was given for some"):
        metric.update(x, y)
    with pytest.raises(ValueError, match="group was given for some"):
        metric.update(x, y, torch.arange(4), torch.zeros(4))


@pytest.mark.parity
def test_agrees_with_sklearn():
    x, y = digits(2, 7)
    distances = pairwise_distances(x[y == 2].flatten(1), x[y == 7].flatten(1))
    agree(
        "label_sharpness",
        "sklearn.metrics.pairwise_distances",
        label_sharpness(x, y).value,
        1 / distances.min(),
        rtol=1e-9,
        why="float64 differences against a float64 product",
    )


def test_the_order_of_two_random_labellings_is_not_certain():
    x, first = cloud(300, 10)
    second = first[torch.randperm(300, generator=torch.Generator().manual_seed(1))]
    found = [label_sharpness(x, y).population for y in (first, second)]
    assert task_difficulty_ratio(*found).harder == "not known"


def test_few_pairs_random_pairs_and_equal_images_have_no_interval():
    x, y = cloud(300, 10)
    assert not label_sharpness(x[:8], y[:8]).population.known
    assert not label_sharpness(x, y, pairs="random").population.known
    equal = label_sharpness(torch.cat([x, x[:1]]), torch.cat([y, 1 - y[:1]]))
    assert "k_f_low" not in equal.scalars()
