"""Images without a change."""

from datamodules.split import Split


class Unchanged:
    """No corruption: the baseline of a sweep."""

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Return both splits."""
        return train, test
