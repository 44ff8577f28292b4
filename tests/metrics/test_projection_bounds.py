import pytest
import torch

from metrics.functional.balanced_draws import balanced_draws
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.projection_bounds import ProjectionBounds
from metrics.functional.squared_distances import Points


def near_duplicates(n: int, dtype: torch.dtype) -> torch.Tensor:
    """Every row of the second half differs from one of the first by 1e-5 to 1e-2."""
    generator = torch.Generator().manual_seed(0)
    x = torch.rand(n // 2, 300, generator=generator, dtype=torch.float64)
    size = torch.logspace(-5, -2, n // 2, dtype=torch.float64)
    size = size[torch.randperm(n // 2, generator=generator), None]
    change = torch.randn(n // 2, 300, generator=generator, dtype=torch.float64)
    return torch.cat([x, x + size * change]).to(dtype)


def distances(x: torch.Tensor) -> torch.Tensor:
    return torch.cdist(x.double(), x.double(), compute_mode="donot_use_mm_for_euclid_dist")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("size", [1.0, 1e5, 2e6, 1e12])
@pytest.mark.parametrize("outlier", [0, 5])  # in the mean of the 64 rows 0, 4, ...; not in it
def test_bounds_are_never_above_the_distances(outlier, size, dtype):
    x = near_duplicates(200, dtype)
    x[outlier] = size
    points, rows = Points(x), torch.arange(1 if outlier else 0, 200)
    bounds = ProjectionBounds(points, rows).bounds(rows, rows)
    assert (bounds.double() <= (distances(x[rows]) / points.scale) ** 2).all()
    if size == 1.0:  # useful: above 0 for pairs that are not near-duplicates
        assert (bounds > 0).float().mean() > 0.9


@pytest.mark.parametrize("count", [100, 190])  # chosen rows are read, or all of them in order
def test_bounds_of_some_rows(count):
    x = near_duplicates(200, torch.float32)
    rows = torch.randperm(200, generator=torch.Generator().manual_seed(0))[:count].sort().values
    bounds = ProjectionBounds(Points(x), rows).bounds(rows[::2], rows[1::2])
    exact = distances(x)[rows[::2]][:, rows[1::2]] ** 2
    assert (bounds.double() <= exact).all()
    assert (bounds > 0).float().mean() > 0.9


def test_bounds_of_wide_images_are_as_close():
    generator = torch.Generator().manual_seed(0)
    parts = torch.randn(64, 40, generator=generator)
    parts = torch.cat([parts, parts + 0.15 * torch.randn(64, 40, generator=generator)])
    x = parts @ torch.randn(40, 20_000, generator=generator)  # projections lose nothing
    rows = torch.arange(128)
    bounds = ProjectionBounds(Points(x), rows).bounds(rows[:64], rows[64:]).double()
    exact = distances(x)[:64, 64:] ** 2
    assert (bounds <= exact).all()
    assert (bounds.diagonal() > 0.3 * exact.diagonal()).all()


@pytest.mark.parametrize("draws", [0, 2])
@pytest.mark.parametrize("size", [1e5, 2e6])
def test_sharpness_beside_an_outlier(size, draws):
    x, y = near_duplicates(1100, torch.float32), torch.arange(1100) // 550
    x[19] = size
    found = label_sharpness(x, y, value_range=size + 1, draws=draws, sample=1096)
    generator = torch.Generator().manual_seed(0)
    samples = balanced_draws(y, 2, 1096, generator) if draws else [torch.arange(1100)]
    forbidden = y[:, None] == y
    exact = distances(x).masked_fill(forbidden, torch.inf)
    expected = [1 / float(exact[rows][:, rows].min()) for rows in samples]
    assert found.per_draw.tolist() == pytest.approx(expected, rel=1e-12)
