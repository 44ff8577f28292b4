"""The runs of single experiments."""

from collections.abc import Sequence

from pandas import DataFrame

from analysis.exhibits import NotEnoughError


def of_experiments(runs: DataFrame, names: Sequence[str]) -> DataFrame:
    """The runs of these experiments only: others train with other settings.

    >>> runs = DataFrame({"experiment": ["prach2025/bound", "digits"], "n": [1, 2]})
    >>> of_experiments(runs, ["digits"]).n.tolist()
    [2]
    """
    mine = runs[runs.experiment.isin(names)]
    if mine.empty:
        raise NotEnoughError(f"no finished run of {' or '.join(names)}")
    return mine.reset_index(drop=True)
