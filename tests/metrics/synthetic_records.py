"""Records drawn from a known scaling law, as a grid of data sets and training set sizes."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

A = 7.5  # level of the law
SIZES = (500.0, 750.0, 1000.0, 1250.0, 1500.0, 1750.0)


@dataclass(frozen=True)
class Records:
    loss: Tensor
    n: Tensor
    dimension: Tensor
    sharpness: Tensor
    groups: Tensor  # data set
    domains: list[str]

    def columns(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        return self.loss, self.n, self.dimension, self.sharpness


def draw_records(
    seed: int,
    scatter: float = 0.3,
    shared: float = 0.0,
    with_sharpness: bool = True,
    datasets: int = 11,
) -> Records:
    """`scatter` is each record's own, `shared` is common to all records of a data set."""
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    medical = torch.arange(datasets) % 3 != 0
    log_k = torch.where(medical, math.log(2.5e-4), math.log(1e-4)) + 0.4 * normal(datasets)
    d = 10 + 10 * torch.rand(datasets, generator=generator, dtype=torch.float64)
    n = torch.tensor(SIZES, dtype=torch.float64).repeat(datasets)
    groups = torch.arange(datasets).repeat_interleave(len(SIZES))
    law = A - n.log() / d[groups] + (log_k[groups] if with_sharpness else math.log(2e-4))
    noise = scatter * normal(len(n)) + shared * normal(datasets)[groups]
    domains = ["medical" if medical[group] else "natural" for group in groups]
    return Records((law + noise).exp(), n, d[groups], log_k[groups].exp(), groups, domains)
