"""The pooled log-spectrum of many point Jacobians."""

from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.clusters import clusters_of
from metrics.functional.effective_points import intraclass_correlation
from metrics.functional.split_spectrum import SpectrumSplit, split_spectrum


@dataclass(frozen=True)
class LogSpectrumResult:
    """log sigma over all images and all singular values."""

    log_sigma: Tensor  # (kept values,) float64
    mean: float  # E[log sigma]
    standard_error: float | None  # over images, not over values; None for one image
    points: int
    zeros: int  # singular values of 0, which have no logarithm: left out
    split: SpectrumSplit

    def scalars(self) -> dict[str, float]:
        """Mean, its error, the number of zeros, and the two modes if there are two."""
        named = {"log_spectrum_mean": self.mean, "log_spectrum_zeros": float(self.zeros)}
        if self.standard_error is not None:
            named["log_spectrum_mean_se"] = self.standard_error
        return named | self.split.scalars()


def log_spectrum(
    singular_values: Tensor,
    bandwidth: float | None = None,
    prominence: float = 0.05,
    level: float = 0.05,
) -> LogSpectrumResult:
    """Pool log sigma over images and values: E[log sigma] and the two modes (Brandao et al. 2023).

        E[log sigma] = E[logdet(J J^T)] / (2 C)    for J of full rank C

    of singular values (points, values). Reading it: the paper's complexity of the fit, natural
    logarithm. Higher after training with noise in labels or images. See `split_spectrum` for the
    modes and the options.

    Example:
        >>> result = log_spectrum(torch.tensor([[9.0, 3.0], [3.0, 0.0]]).exp2() - 1)
        >>> round(result.mean, 4), result.zeros
        (3.3761, 1)
    """
    sigma = singular_values.double()
    if sigma.ndim != 2 or not (sigma >= 0).all() or not sigma.isfinite().all():
        raise ValueError(
            f"singular values of shape {tuple(sigma.shape)} must be (points, values), finite and "
            "at least 0"
        )
    positive = sigma > 0
    if not positive.any():
        raise ValueError(
            f"all {sigma.numel()} singular values are 0: the network is constant there"
        )
    log_sigma = sigma[positive].log()
    kept = positive.any(1)
    means = torch.where(positive, sigma, 1).log().sum(1)[kept] / positive.sum(1)[kept]
    error = float(means.std() / len(means) ** 0.5) if len(means) > 1 else None
    return LogSpectrumResult(
        log_sigma=log_sigma,
        mean=float(log_sigma.mean()),
        standard_error=error,
        points=len(sigma),
        zeros=int((~positive).sum()),
        split=split_spectrum(
            log_sigma,
            bandwidth=bandwidth,
            prominence=prominence,
            independent=_independent(sigma),
            level=level,
        ),
    )


def _independent(sigma: Tensor) -> float:
    """Effective number of independent values: those of one image depend on each other.

    n / (1 + (m - 1) ICC), with m values per image (Kish 1965).
    """
    positive = (sigma > 0).cpu()
    image = torch.arange(len(sigma))[:, None].expand(sigma.shape)[positive]
    logs = sigma.cpu()[positive].log()
    clusters = clusters_of(image, len(logs))
    m = float(clusters.sizes.square().sum()) / len(logs)
    return len(logs) / (1 + (m - 1) * intraclass_correlation(logs, clusters))
