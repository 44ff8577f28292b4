"""The pooled log-spectrum of point Jacobians, over batches and processes."""

from torch import Tensor

from metrics.functional.log_spectrum import LogSpectrumResult, log_spectrum
from metrics.result_metric import PooledMetric


class LogSpectrum(PooledMetric[LogSpectrumResult]):
    """E[log sigma] and the modes of the singular values of `jacobian_spectrum`.

    Reading it: see `metrics.functional.log_spectrum`, which has the same options; others are passed
    to `torchmetrics.Metric`.

    Example:
        >>> import torch
        >>> metric = LogSpectrum()
        >>> metric.update(torch.tensor([[torch.e, 1.0]]))
        >>> metric.compute()["log_spectrum_mean"]
        tensor(0.5000, dtype=torch.float64)
    """

    def __init__(
        self, bandwidth: float | None = None, prominence: float = 0.05, **kwargs: object
    ) -> None:
        super().__init__(**kwargs)
        self.bandwidth, self.prominence = bandwidth, prominence
        self.add_lists("singular_values")

    def update(self, singular_values: Tensor) -> None:
        """Add the singular values of a batch, (points, values)."""
        self.store(singular_values=singular_values)

    def from_states(self) -> LogSpectrumResult:
        """Pool all images."""
        return log_spectrum(self.pooled("singular_values"), self.bandwidth, self.prominence)
