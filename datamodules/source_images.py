"""The images that a data set is drawn from: how many there are, and their size before resizing."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SourceImages:
    """Number and native sizes of the images with a label."""

    total: int  # images, used or not
    sizes: tuple[tuple[int, int], ...]  # (height, width) of those that were read, before resizing

    def describe(self, used: int, shape: str) -> str:
        """How many are used, at which size.

        >>> SourceImages(60, ((40, 40),) * 60).describe(46, "224 x 224 x 3")
        '46 of 60 images (40 x 40 pixels, read at 224 x 224 x 3)'
        >>> SourceImages(3, ((8, 8), (40, 30), (9, 9))).describe(2, "8 x 8 x 1")
        '2 of 3 images (8 x 8 to 40 x 30 pixels, read at 8 x 8 x 1)'
        """
        if not self.sizes:
            return f"{used:,} of {self.total:,} images (read at {shape})"
        ordered = sorted(self.sizes, key=lambda size: (size[0] * size[1], size))
        ends = dict.fromkeys(f"{height} x {width}" for height, width in (ordered[0], ordered[-1]))
        sample = "" if len(self.sizes) == self.total else f" in a sample of {len(self.sizes)}"
        pixels = f"{' to '.join(ends)} pixels{sample}"
        return f"{used:,} of {self.total:,} images ({pixels}, read at {shape})"
