"""Normalisation of the pixels, as the first layer of a network."""

import math
from collections.abc import Sequence
from typing import Literal, get_args

import torch
from torch import Tensor, nn

Kind = Literal["none", "dataset", "centre", "image", "channel"]


class Normalize(nn.Module):
    """Normalise pixels in [0, 1] inside the network, so that attacks stay in pixel units.

    - `none`: x
    - `dataset`: (x - mean) / std, with one mean and std per channel of the whole data set
    - `centre`: x - mean
    - `image`: (x - m) / max(s, 1 / sqrt(N)), m and s (biased) over the whole image of N numbers,
      as TensorFlow's per-image standardisation (Zhang et al. 2017, Brandao 2023)
    - `channel`: the same in each channel alone, with the unbiased s and N its number of pixels,
      as Brandao's published code

    The lower limit of s keeps a constant image finite: it maps to 0, with a finite gradient. `mean`
    and `std` of each channel are needed for `dataset`, the mean alone for `centre`.

    >>> layer = Normalize("dataset", mean=[0.5], std=[0.25])
    >>> layer(torch.tensor([[[[0.5, 1.0]]]]))
    tensor([[[[0., 2.]]]])
    """

    mean: Tensor  # (C, 1, 1)
    std: Tensor  # (C, 1, 1)

    def __init__(
        self,
        kind: Kind = "none",
        mean: Sequence[float] = (),
        std: Sequence[float] = (),
    ) -> None:
        super().__init__()
        if kind not in get_args(Kind):
            raise ValueError(f"normalize={kind!r}: use one of {', '.join(get_args(Kind))}")
        if kind in ("dataset", "centre") and not len(mean):
            raise ValueError(f"normalize={kind} needs the mean of each channel; pass mean=")
        if kind == "dataset" and (len(std) != len(mean) or min(std) <= 0):
            raise ValueError(
                f"normalize=dataset needs {len(mean)} positive standard deviations, got "
                f"{list(std)}; use normalize=centre for a data set with a constant channel"
            )
        self.kind = kind
        # Not saved in checkpoints: they belong to the data, which is there when a run resumes.
        for name, values in (("mean", mean), ("std", std)):
            per_channel = torch.tensor(list(values), dtype=torch.get_default_dtype())
            self.register_buffer(name, per_channel.view(-1, 1, 1), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return the normalised images, of the shape of `x`: (B, C, H, W)."""
        if self.kind == "none":
            return x
        if self.kind == "image":
            return whiten(x, dims=(-3, -2, -1), correction=0)
        if self.kind == "channel":
            return whiten(x, dims=(-2, -1), correction=1)
        if len(self.mean) != x.shape[-3]:
            raise ValueError(
                f"images have {x.shape[-3]} channels, but normalize={self.kind} has the "
                f"means of {len(self.mean)}"
            )
        centred = x - self.mean
        return centred / self.std if self.kind == "dataset" else centred

    @property
    def lipschitz(self) -> float | None:
        """Bound on the L2 Lipschitz constant; None where it depends on the image.

        >>> Normalize("dataset", mean=[0.5, 0.5], std=[0.25, 0.5]).lipschitz
        4.0
        """
        if self.kind in ("image", "channel"):
            return None
        return 1 / float(self.std.min()) if self.kind == "dataset" else 1.0

    def extra_repr(self) -> str:
        """Return the kind, for print."""
        return self.kind


def whiten(x: Tensor, dims: tuple[int, ...], correction: int) -> Tensor:
    """Return (x - m) / max(s, 1 / sqrt(N)), with m, s and N over `dims`.

    `correction` is 0 for the biased s (divided by N), 1 for the unbiased one (by N - 1).

    >>> whiten(torch.tensor([[0.0, 2.0]]), dims=(1,), correction=0)
    tensor([[-1.,  1.]])
    """
    variance, mean = torch.var_mean(x, dim=dims, correction=correction, keepdim=True)
    count = math.prod(x.shape[dim] for dim in dims)
    # The lower limit applies to the variance: sqrt has no finite gradient at 0, a constant image.
    return (x - mean) / variance.clamp(min=1 / count).sqrt()
