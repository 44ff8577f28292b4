"""Images as they are."""

from datamodules.split import Split


class Unchanged:
    """No corruption: what the others of a sweep are compared with."""

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Give back what came."""
        return train, test
