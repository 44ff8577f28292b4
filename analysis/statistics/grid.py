"""Which runs belong together, and their averages."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.runs.columns import ISIC
from analysis.runs.run_row import draw_without_fold
from analysis.statistics.over_seeds import LEAST, over_seeds

SEEN = ["size", "channels", "task"]
VIEW = [*SEEN, "images"]  # one data set seen in one way
Places = NDArray[np.intp]  # a number for every run
CELL = ["model", "data", "domain", "n", "standin"]


def main_view(runs: DataFrame, isic: bool = False) -> DataFrame:
    """The runs of the main grid: every data set in the view it was mostly trained in.

    Sweeps over image sizes, channels, tasks or ways of reading the images lie in the same folder
    and must not be pooled with the grid. Ties: the view more common over all data sets, then the
    larger images. ISIC, which the paper looks at apart, is left out unless `isic`.
    """
    runs = runs if isic else runs[runs.domain != ISIC]
    if runs.empty:
        return runs
    part, seen = numbered(runs, ["data", *VIEW]), numbered(runs, SEEN)
    ranks = np.bincount(part)[part], np.bincount(seen)[seen], runs["size"].astype(float), part
    return _best(runs, numbered(runs, ["data"]), part, ranks)


def trained_view(runs: DataFrame, isic: bool = False) -> DataFrame:
    """The main view of the runs with a network, of one recipe each; they alone choose the view."""
    return most_common_recipe(main_view(trained(runs), isic))


def most_common_recipe(runs: DataFrame) -> DataFrame:
    """Of every network, data set, view and n the recipe with the most runs.

    Runs with other epochs, optimiser or augmentation are not averaged as if they were seeds. Ties:
    the recipe more common with that network, then the last.
    """
    cell, common = [*CELL, *VIEW], numbered(runs, ["model", "recipe"])
    part = numbered(runs, [*cell, "recipe"])
    ranks = np.bincount(part)[part], np.bincount(common)[common], runs.finished.astype(str)
    return _best(runs, numbered(runs, cell), part, ranks)


def one_recipe(
    runs: DataFrame,
    swept: Sequence[str] = (),
    compared: str | None = None,
    least: int = LEAST,
) -> DataFrame:
    """Of every network and data set the runs of one n, size and recipe: the largest n and size.

    These are nearest to the published ones. Runs with too few seeds for an interval count only if
    there are no others. Of several recipes that with the most runs is taken. No result enters the
    choice.

    Args:
        runs: of one experiment.
        swept: columns that the experiment varies, such as n or the learning rate: the choice is
            made for each of their values.
        compared: column with what is compared seed by seed: only seeds with two of its values are
            counted, so that a study that has begun with one of them does not count before another
            that has both.
        least: seeds that an interval needs; of a median more than of a mean.
    """
    cell = ["model", "data", *swept]
    part = numbered(runs, list(dict.fromkeys([*cell, "n", "size", "recipe"])))
    seeds = runs.seed
    if compared is not None:
        seeds = seeds.where(runs.groupby([part, "seed"])[compared].transform("nunique") > 1)
    enough = seeds.groupby(part).transform("nunique") >= least
    ranks = enough, runs.n, runs["size"].astype(float), np.bincount(part)[part], part
    return _best(runs, numbered(runs, cell), part, ranks)


def numbered(runs: DataFrame, columns: list[str]) -> Places:
    """A number for every run, equal for those that agree in these columns, in their order."""
    return runs.groupby(columns, dropna=False).ngroup().to_numpy()


def _best(runs: DataFrame, cell: Places, part: Places, ranks: Sequence[ArrayLike]) -> DataFrame:
    """Of every cell the runs of one part: of the run that ranks highest, the last of equals."""
    order = np.lexsort([np.asarray(rank) for rank in reversed(ranks)])
    chosen = np.empty(len(runs), dtype=int)
    chosen[cell[order]] = part[order]  # of several assignments to a place the last one stays
    return runs[chosen[cell] == part].reset_index(drop=True)


def prefer_real(runs: DataFrame) -> DataFrame:
    """Without the stand-in runs of data sets that have real ones: the two are never pooled."""
    real = set(runs[~runs.standin].data)
    return runs[~(runs.standin & runs.data.isin(real))].reset_index(drop=True)


def trained(runs: DataFrame) -> DataFrame:
    """Runs with a network."""
    return runs[runs.model != "none"].reset_index(drop=True)


def need_isic(runs: DataFrame) -> None:
    """Raise NotEnoughError where no run is on ISIC."""
    if not (runs.domain == ISIC).any():
        raise NotEnoughError("no such run is on ISIC")


def cells(runs: DataFrame, columns: list[str]) -> DataFrame:
    """`over_seeds` of every (model, data, n): one point of Figs. 2 and 4.

    A run that lacks one of the columns is left out of its cell.
    """
    return over_seeds(runs.dropna(subset=columns), CELL, {name: name for name in columns})


def means_within(runs: DataFrame, by: Sequence[str], columns: Sequence[str]) -> DataFrame:
    """One row per group and draw of images: the means over its runs.

    The folds of a draw share images, and so do its sizes n, if they are not in `by`: an interval
    that counted them as independent would be too narrow.
    """
    drawn = runs.assign(draw=runs.draw.map(draw_without_fold))
    return drawn.groupby([*by, "draw"], sort=False)[list(columns)].mean().reset_index()
