"""The runs of single experiments of Movahedi et al. 2025."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError


def runs_of(runs: DataFrame, *experiments: str) -> DataFrame:
    """The runs of these experiments of the paper, networks only."""
    names = [f"movahedi2025/{name}" for name in experiments]
    mine = runs[runs.experiment.isin(names) & (runs.model != "none")].reset_index(drop=True)
    if mine.empty:
        raise NotEnoughError(f"no finished run is of {' or '.join(names)}")
    return mine
