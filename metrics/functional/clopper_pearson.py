"""Clopper-Pearson: exact confidence bounds for a proportion."""

import torch
from scipy import special  # torch has no inverse of the incomplete beta function
from torch import Tensor


def clopper_pearson_lower(hits: Tensor, trials: int | Tensor, alpha: float) -> Tensor:
    """One-sided exact lower bound of a binomial proportion, for k hits in n trials.

        p_low = Beta^-1(alpha; k, n - k + 1),  P(p_low > p) <= alpha;  p_low = alpha^(1/n) at k = n

    Reading it: k/n, lowered by the uncertainty of n trials; 0 if k = 0. It never reaches 1, so n
    limits every certificate made from it. It exceeds p with probability alpha at most.

    Example:
        >>> clopper_pearson_lower(torch.tensor([0, 500, 1000]), 1000, alpha=0.001)
        tensor([0.0000, 0.4508, 0.9931], dtype=torch.float64)
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha={alpha} must lie in (0, 1); 0.001 is usual")
    n = torch.as_tensor(trials, device=hits.device).expand(hits.shape)
    if bool(((hits < 0) | (hits > n) | (n < 1)).any()):
        raise ValueError("hits must lie in 0..trials and trials be at least 1")
    k = hits.double().cpu()
    found = special.betaincinv(k.numpy(), (n.cpu() - k + 1).numpy(), alpha)
    bound = torch.as_tensor(found, dtype=torch.float64)
    return bound.where(k > 0, 0.0).to(hits.device)  # betaincinv(0, ...) is NaN


def clopper_pearson(hits: float, trials: float) -> tuple[float, float]:
    """Two-sided exact 95 % interval of a binomial proportion.

    Counts may be fractional, such as an effective number of trials.

    Example:
        >>> low, high = clopper_pearson(0, 10)
        >>> low, round(high, 3)   # 1 - 0.025^(1/10)
        (0.0, 0.308)
    """
    tail, misses = (1 - 0.95) / 2, trials - hits
    low = float(special.betaincinv(hits, misses + 1, tail)) if hits > 0 else 0.0
    high = float(special.betaincinv(hits + 1, misses, 1 - tail)) if misses > 0 else 1.0
    return low, high
