"""Corr(G^t, G_F S G_F) with an interval over the random networks of the estimate of G_F."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from metrics.functional.checks import check_points
from metrics.functional.estimate import Estimate

LEAST = 6  # groups: a norm needs four different ones, and the jackknife leaves one out


class GSGCorrelation:
    r"""Correlation of a geometry T with G S G, from independent estimates G_b of G.

        <T, G S G>  = mean over b != c of <T, G_b S G_c>
        |G S G|^2   = mean over different b, c, d, e of <G_b S G_c, G_d S G_e>

    The noise of the estimates, however large, does not bias these means; it would bias the product
    of an estimate with itself. The correlation and its interval come from the jackknife over groups
    of its logarithm; in simulations 0.95 to 0.97 of the 95 % intervals hold the truth.

    Reading it: near 1 the geometry is the data's covariance filtered by the architecture. The
    interval is over networks drawn for G_F, not over trainings or images.

    Args:
        filtered: G_b x for the images x of S, (groups >= 6, images, D).

    Example:
        >>> filtered = torch.eye(3)[:2].expand(6, 2, 3)  # G_b = I, S of two directions
        >>> GSGCorrelation(filtered).estimate(torch.eye(3)[:1], norm=1.0).value
        0.7071...
    """

    def __init__(self, filtered: Tensor) -> None:
        check_points("filtered", filtered)
        if filtered.ndim != 3 or len(filtered) < LEAST:
            raise ValueError(
                f"filtered is {tuple(filtered.shape)}; need (groups >= {LEAST}, images, D)"
            )
        self.filtered = filtered
        count, images, _ = filtered.shape
        self._pairs = [(b, d) for b in range(count) for d in range(count) if b != d]
        # (pairs, images^2): y_b,i . y_d,j; of (d, b) the transpose of (b, d)
        products = {(b, d): filtered[b] @ filtered[d].T for b, d in self._pairs if b < d}
        products |= {(d, b): product.T for (b, d), product in products.items()}
        both = torch.stack([products[pair].flatten() for pair in self._pairs]).double()
        self._norms = (both @ both.T) / images**2
        everyone = range(count)
        self._kept = [list(everyone), *([b for b in everyone if b != j] for j in everyone)]
        self._squared = [self._squared_norm(kept) for kept in self._kept]

    def _squared_norm(self, kept: Sequence[int]) -> float:
        """|G S G|^2 from some groups."""
        pairs = torch.tensor(self._pairs)
        inside = torch.isin(pairs, torch.tensor(kept)).all(1)
        a, b = pairs[:, None], pairs[None]
        apart = (a[..., :, None] != b[..., None, :]).flatten(2).all(2)
        chosen = apart & inside[:, None] & inside
        return float(self._norms[chosen].mean())

    def estimate(self, rows: Tensor, norm: float) -> Estimate | None:
        """Corr(T, G S G) of T = mean of g g^T over `rows` (R, D); None where it is not defined.

        `norm` is |T|, from the caller because it can be estimated better than from the rows alone.
        """
        images = self.filtered.shape[1]
        found = rows.to(self.filtered) @ self.filtered.flatten(0, 1).T  # (R, groups x images)
        found = found.reshape(len(rows), -1, images).transpose(0, 1).flatten(1).double()
        products = (found @ found.T) / (len(rows) * images)
        logs = []
        for kept, squared in zip(self._kept, self._squared, strict=True):
            some, count = products[kept][:, kept], len(kept)
            along = float((some.sum() - some.diagonal().sum()) / (count * (count - 1)))
            if along <= 0 or squared <= 0:
                return None
            logs.append(math.log(along / (norm * math.sqrt(squared))))
        whole, *left = logs
        count = len(left)
        values = count * whole - (count - 1) * torch.tensor(left, dtype=torch.float64)
        log = Estimate.of_mean(values)
        return Estimate(math.exp(log.value), math.exp(log.low), math.exp(log.high))
