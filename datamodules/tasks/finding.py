"""A named finding: one of the additional labelings of a data set."""

import difflib

import numpy as np

from datamodules.errors import DataError
from datamodules.reader import Listing
from datamodules.tasks.task import Labels, Task


class Finding(Task):
    """Present against absent; images without a value for the finding are left out.

    Args:
        finding: a column of the data set's label file (`epidural`, `Pleural Effusion`).
        balanced: equal numbers of present and absent.
        noise, test_noise: see `Task`.
    """

    def __init__(
        self,
        finding: str,
        balanced: bool = True,
        noise: float = 0.0,
        test_noise: bool = False,
    ) -> None:
        super().__init__(noise, test_noise)
        self.finding = finding
        self.balanced = balanced

    def labels(self, listing: Listing, seed: int) -> Labels:
        """Label 1 where the finding is present, 0 where it is absent."""
        column = self._column(listing)
        index = np.flatnonzero(column != -1)
        y = column[index].astype(np.int64)
        if not np.isin(y, (0, 1)).all():
            raise DataError(
                f"task.finding={self.finding}: values {np.unique(y).tolist()}; a finding is "
                "0 (absent), 1 (present) or -1 (unknown)."
            )
        return Labels(index, y, (f"no {self.finding}", self.finding), self.balanced)

    def _column(self, listing: Listing) -> np.ndarray:
        if self.finding in listing.findings:
            return listing.findings[self.finding]
        if not listing.findings:
            raise DataError("task=finding: this data set has no findings; use task=default.")
        near = difflib.get_close_matches(self.finding, listing.findings, n=1, cutoff=0.4)
        hint = f"did you mean `{near[0]}`? There" if near else "there"
        raise DataError(
            f"task.finding={self.finding}: no such finding; {hint} are "
            f"{', '.join(listing.findings)}."
        )
