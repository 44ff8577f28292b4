"""What networks learn along strong and along weak directions of G_F: means over seeds."""

from pandas import DataFrame, Series

from analysis.claim import Evidence
from analysis.claim_cells import at_common_levels, difference, first_less_last, over_seeds_in
from analysis.exhibits import NotEnoughError, need_columns
from analysis.papers.movahedi2025.experiments import runs_of
from analysis.papers.movahedi2025.numbered_directions import with_directions, with_labels
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe

ACCURACY = "test/accuracy"
CELL = ["model", "data"]  # data sets are not averaged
INVARIANT = "mlp"  # its G_F is a multiple of the identity: no direction is stronger


def networks(runs: DataFrame, invariant: bool) -> DataFrame:
    """The MLP, or the networks whose G_F has strong and weak directions."""
    mine = runs[(runs.model == INVARIANT) == invariant].reset_index(drop=True)
    if mine.empty:
        raise NotEnoughError("no run is of " + ("an MLP" if invariant else "any but an MLP"))
    return mine


def plane(runs: DataFrame, invariant: bool) -> Evidence:
    """Accuracy on the plane of two strong directions less that with a weak one."""
    mine = networks(runs_of(runs, "plane"), invariant)
    mine = mine.assign(u2=setting(mine, "data.law.u2"))
    mine = one_recipe(mine[mine.u2.map(lambda u2: u2 in (1, -1))], compared="u2")
    return over_seeds_in(mine, CELL, lambda part: difference(part, "u2", ACCURACY, 1, -1))


def along(runs: DataFrame, experiments: tuple[str, ...], where: str, invariant: bool) -> Evidence:
    """Accuracy for labels along the first direction less that along the last, in every cell."""
    mine = with_labels(networks(runs_of(runs, *experiments), invariant), where)
    return over_seeds_in(
        one_recipe(mine, compared="direction"),
        [*CELL, "kind"],
        lambda part: first_less_last(part, "direction", ACCURACY),
    )


def crossover(runs: DataFrame) -> Evidence:
    """Accuracy of the line less that of the circles: on a strong direction less on a weak one."""
    mine = networks(runs_of(runs, "simplicity", "simplicity_resnet"), invariant=False)
    names = [f"{ACCURACY}@linear", f"{ACCURACY}@nonlinear"]
    need_columns(mine, names)
    mine = with_directions(mine.dropna(subset=names), "data.law.u1")
    mine = one_recipe(mine, compared="direction")
    mine = mine.assign(use=mine[names[0]] - mine[names[1]])
    return over_seeds_in(mine, CELL, lambda part: first_less_last(part, "direction", "use"))


def elimination(runs: DataFrame) -> Evidence:
    """Accuracy without directions that G_F does not see less that without random ones."""
    mine = runs_of(runs, "elimination")
    mine = mine.assign(
        which=setting(mine, "data.transforms.remove.which"),
        removed=setting(mine, "data.transforms.remove.count").astype(int),
    )
    mine = one_recipe(mine[mine.removed > 0], compared="which")

    def gain(part: DataFrame) -> Series:
        """Mean over the numbers removed that have both, by seed."""
        gains = {
            removed: difference(some, "which", ACCURACY, "geometry", "random")
            for removed, some in part.groupby("removed")
        }
        table = DataFrame(gains).dropna(axis=1, how="all")
        return at_common_levels(table).dropna().mean(axis=1)

    return over_seeds_in(mine, CELL, gain)
