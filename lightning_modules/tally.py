"""Loss and accuracy over many batches, as three sums."""

import torch
from torch import Tensor
from torch import distributed as dist


class Tally:
    """Sums of loss, hits and images that stay on the device until they are read.

    `torchmetrics.MeanMetric` and `Accuracy` compute the same numbers but cost 0.3 ms a step
    together, a tenth of a LeNet step on CPU; these sums cost a fiftieth of it.

    >>> tally = Tally()
    >>> tally.add(torch.tensor(0.5), hits=torch.tensor(3), images=4)
    >>> tally.add(torch.tensor(0.2), hits=torch.tensor(1), images=1)
    >>> tally.means()
    (0.44..., 0.8)
    """

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.loss: Tensor | None = None  # float64, on the device
        self.hits: Tensor | None = None
        self.images = 0

    def add(self, loss: Tensor, hits: Tensor, images: int) -> None:
        """Add a batch: its mean loss, the number of hits and of images."""
        if self.loss is None or self.hits is None:
            self.loss = loss.new_zeros((), dtype=torch.float64)
            self.hits = torch.zeros_like(self.loss)
        self.loss.add_(loss.detach(), alpha=images)
        self.hits.add_(hits)
        self.images += images

    def means(self, device: torch.device | None = None) -> tuple[float, float]:
        """Mean loss and accuracy over all processes; NaN when nothing was counted. Resets the sums.

        `device` is for a process that counted nothing but takes part in the sum over processes.
        """
        sums = torch.zeros(3, dtype=torch.float64, device=device)
        if self.loss is not None and self.hits is not None:
            sums = torch.stack([self.loss, self.hits, self.loss.new_full((), self.images)])
        if dist.is_available() and dist.is_initialized():
            dist.all_reduce(sums)
        self._clear()
        loss, hits, images = sums.tolist()
        return (loss / images, hits / images) if images else (float("nan"), float("nan"))
