"""The correlation with G_F S G_F, G_F estimated from random networks of a known law."""

from collections.abc import Callable

import torch
from torch import Tensor

from metrics.functional.gsg_correlation import GSGCorrelation
from tests.coverage.case import Case
from tests.coverage.populations import held

GROUPS = 8


def noisy_groups(
    seed: int, d: int, networks: int, rows: int
) -> tuple[Tensor, Tensor, Tensor, float]:
    """Estimates of G from `networks` of `rows` gradients, images of S, rows of G^t, the truth."""
    fixed = torch.Generator().manual_seed(0)
    spread = torch.arange(1, d + 1, dtype=torch.float64) ** (-0.3 if d > 50 else -1.0)
    x = torch.randn(40, d, generator=fixed).double() * torch.linspace(2, 0.3, d)
    t = torch.randn(16, d, generator=fixed).double() * torch.linspace(1.5, 0.5, d)
    generator = torch.Generator().manual_seed(seed + 1)
    sizes = torch.exp(0.5 * torch.randn(networks, 1, 1, generator=generator))
    drawn = sizes * torch.randn(networks, rows, d, generator=generator) * spread.sqrt()
    parts = [drawn[b::GROUPS].flatten(0, 1).double() for b in range(GROUPS)]
    groups = torch.stack([part.T @ part / len(part) for part in parts])
    y = x * spread * float(torch.exp(torch.tensor(0.5)))  # E[size^2] = e^0.5
    norms = (y @ y.T).square().sum().sqrt() * (t @ t.T).square().sum().sqrt()
    return groups, x, t, float((t @ y.T).square().sum() / norms)


def gsg(d: int, networks: int, rows: int) -> Callable[[int], bool | None]:
    """Its interval against the correlation with the true G."""

    def draw(seed: int) -> bool | None:
        groups, x, t, truth = noisy_groups(seed, d, networks, rows)
        norm = float((t @ t.T).square().mean().sqrt())
        found = GSGCorrelation(x @ groups).estimate(t, norm)
        return None if found is None else held(found, truth)

    return draw


CASES_OF_GEOMETRY = [
    Case("corr_gsg, error of G_F 0.25", "random networks", gsg(24, 64, 8)),
    Case("corr_gsg, error of G_F 0.5 (conservative)", "random networks", gsg(96, 96, 8)),
]
