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
        self.sums: Tensor | None = None

    def add(self, loss: Tensor, hits: Tensor, images: int) -> None:
        """Add a batch: its mean loss, the number of hits and of images."""
        batch = torch.stack(
            (loss.detach().double() * images, hits.double(), hits.new_full((), images).double())
        )
        self.sums = batch if self.sums is None else self.sums + batch

    def means(self, device: torch.device | None = None) -> tuple[float, float]:
        """Mean loss and accuracy over all processes; NaN when nothing was counted. Resets the sums.

        `device` is for a process that counted nothing but takes part in the sum over processes.
        """
        zeros = torch.zeros(3, dtype=torch.float64, device=device)
        sums = zeros if self.sums is None else self.sums
        if dist.is_available() and dist.is_initialized():
            dist.all_reduce(sums)
        self.sums = None
        loss, hits, images = sums.tolist()
        return (loss / images, hits / images) if images else (float("nan"), float("nan"))
