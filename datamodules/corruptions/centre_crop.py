"""The middle of every image."""

from dataclasses import dataclass, replace

from datamodules.errors import DataError
from datamodules.split import Split


@dataclass
class CentreCrop:
    """Keeps the central pixels, as Zhang et al. and Brandao et al. do (28 of 32 per side)."""

    size: int  # pixels per side

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Crop both splits; odd margins leave the extra row and column at the bottom and right."""
        return self._crop(train), self._crop(test)

    def _crop(self, split: Split) -> Split:
        have = split.x.shape[-1]
        if not 1 <= self.size <= have:
            raise DataError(f"centre_crop.size={self.size}: images are {have} px; use 1 to {have}.")
        start = (have - self.size) // 2
        inside = slice(start, start + self.size)
        return replace(split, x=split.x[..., inside, inside].contiguous())
