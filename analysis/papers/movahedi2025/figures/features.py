"""What a network uses when features are removed or redundant."""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import need_columns
from analysis.papers.movahedi2025.experiments import runs_of
from analysis.papers.movahedi2025.numbered_directions import with_directions
from analysis.papers.movahedi2025.panels import Line, accuracy_panels
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe

REMOVED = (
    Line("unseen by $G_F$", "tab:blue", where={"which": "geometry"}),
    Line("random", "tab:orange", where={"which": "random"}),
)
PARTS = (
    Line("line alone", "tab:blue", "test/accuracy@linear"),
    Line("circles alone", "tab:orange", "test/accuracy@nonlinear"),
)


def feature_elimination(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network and data set."""
    mine = one_recipe(runs_of(runs, "elimination"))
    mine = mine.assign(
        which=setting(mine, "data.transforms.remove.which"),
        removed=setting(mine, "data.transforms.remove.count").astype(int),
    )
    return accuracy_panels(mine, "removed", "directions removed", REMOVED, chance=None)


def simplicity_bias(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network and data set."""
    mine = one_recipe(runs_of(runs, "simplicity", "simplicity_resnet"))
    need_columns(mine, names := [line.y for line in PARTS])
    mine = with_directions(mine.dropna(subset=names), "data.law.u1")
    return accuracy_panels(mine, "direction", "eigenvector of $G_F$ of the line", PARTS)
