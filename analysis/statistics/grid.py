"""Which runs belong together, and their averages."""

from collections.abc import Sequence

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.runs.columns import ISIC
from analysis.runs.run_row import draw_without_fold
from analysis.statistics.over_seeds import LEAST, over_seeds

SEEN = ["size", "channels", "task"]
VIEW = [*SEEN, "images"]  # one data set seen in one way
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
    here = runs.groupby(["data", *VIEW], dropna=False).size().rename("here").reset_index()
    everywhere = runs.groupby(SEEN, dropna=False).size().rename("everywhere").reset_index()
    ranked = here.merge(everywhere, on=SEEN).sort_values(
        ["here", "everywhere", "size"], kind="stable"
    )
    chosen = ranked.drop_duplicates("data", keep="last")
    return _matching(runs, chosen[["data", *VIEW]])


def trained_view(runs: DataFrame, isic: bool = False) -> DataFrame:
    """The main view of the runs with a network, of one recipe each; they alone choose the view."""
    return most_common_recipe(main_view(trained(runs), isic))


def most_common_recipe(runs: DataFrame) -> DataFrame:
    """Of every network, data set, view and n the recipe with the most runs.

    Runs with other epochs, optimiser or augmentation are not averaged as if they were seeds. Ties:
    the recipe more common with that network, then the last.
    """
    cell = [*CELL, *VIEW]
    here = runs.groupby([*cell, "recipe"], dropna=False).key.transform("size")
    everywhere = runs.groupby(["model", "recipe"]).key.transform("size")
    own = runs[[*cell, "recipe", "finished"]]
    ranked = own.assign(_here=here, _everywhere=everywhere).sort_values(
        ["_here", "_everywhere", "finished"], kind="stable"
    )
    chosen = ranked.drop_duplicates(cell, keep="last")
    return _matching(runs, chosen[[*cell, "recipe"]])


def one_recipe(runs: DataFrame, swept: Sequence[str] = ()) -> DataFrame:
    """Of every network and data set the runs of one n, size and recipe: the largest n and size.

    These are nearest to the published ones. Runs with too few seeds for an interval count only if
    there are no others. Of several recipes that with the most runs is taken. No result enters the
    choice.

    Args:
        runs: of one experiment.
        swept: columns that the experiment varies, such as n or the learning rate: the choice is
            made for each of their values.
    """
    cell = ["model", "data", *swept]
    chosen = list(dict.fromkeys([*cell, "n", "size", "recipe"]))
    found = runs.groupby(chosen, dropna=False).seed.agg(count="size", seeds="nunique")
    found = found.reset_index().assign(enough=lambda table: table.seeds >= LEAST)
    best = found.sort_values(["enough", "n", "size", "count"]).drop_duplicates(cell, keep="last")
    return _matching(runs, best[chosen])


def _matching(runs: DataFrame, chosen: DataFrame) -> DataFrame:
    """The runs that have the values of a row of `chosen`; a merge of all columns takes longer."""
    own = runs[list(chosen)].assign(_place=range(len(runs)))
    return runs.iloc[own.merge(chosen)["_place"]].reset_index(drop=True)


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
