"""Two classes against each other."""

import numpy as np

from datamodules.errors import DataError
from datamodules.reader import Listing
from datamodules.tasks.class_position import class_position
from datamodules.tasks.task import Labels, Task
from records.seeds import seed_for


class Pair(Task):
    """A binary task from two classes, drawn by seed or named.

    Args:
        classes: two class names (or their indices); None draws them by seed, so that five seeds
            are five random pairs, the same for every model and n.
        minimum: classes with fewer images are not drawn.
        noise, test_noise: see `Task`.
        slip: with `data.order=file`, shift labels against their images, as Konz & Mazurowski's
            published code does.
    """

    def __init__(
        self,
        classes: tuple[str, ...] | None = None,
        minimum: int = 0,
        noise: float = 0.0,
        test_noise: bool = False,
        slip: bool = False,
    ) -> None:
        super().__init__(noise, test_noise)
        if classes is not None and len(classes) != 2:
            raise DataError(f"task.classes={list(classes)}: a pair needs exactly two classes.")
        self.classes, self.minimum, self.slip = classes, minimum, slip

    def labels(self, listing: Listing, seed: int) -> Labels:
        """Label 0 for the first class of the pair, 1 for the second."""
        if self.classes is None:
            a, b = self._draw(listing, seed)
        else:
            a, b = (class_position(name, listing.classes, "task.classes") for name in self.classes)
        index = np.flatnonzero((listing.labels == a) | (listing.labels == b))
        y = (listing.labels[index] == b).astype(np.int64)
        return Labels(index, y, (listing.classes[a], listing.classes[b]), slip=self.slip)

    def _draw(self, listing: Listing, seed: int) -> tuple[int, int]:
        counts = np.bincount(listing.labels[listing.labels >= 0], minlength=len(listing.classes))
        enough = np.flatnonzero(counts >= max(self.minimum, 1))
        if len(enough) < 2:
            raise DataError(
                f"task=pair needs two classes with at least {max(self.minimum, 1)} images; "
                f"the largest has {counts.max(initial=0)}. Use a smaller n or data.test_n."
            )
        chosen = np.random.default_rng(seed_for(seed, "pair")).choice(enough, 2, replace=False)
        first, second = sorted(int(c) for c in chosen)
        return first, second
