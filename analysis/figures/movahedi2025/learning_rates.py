"""Test accuracy against direction, over learning rates.

Reading it: smaller rates do worse throughout; the order of directions should stay.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.direction_curves import panels_by_kind, with_directions
from analysis.settings import setting

source = "Movahedi et al. 2025, Fig. 14"
requires = ("test/accuracy",)
experiment = "movahedi2025/rates"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per kind of label."""
    swept = runs_of(runs, "rates")
    # runs of equal settings are one run, so that those of the usual rate may be filed elsewhere
    mine = runs_of(runs, "rates", "isotropic_deep")
    mine = with_directions(mine[mine.model.isin(swept.model)], "data.law")
    mine = mine.assign(rate=setting(mine, "optimizer.lr").astype(float))
    return panels_by_kind(mine, "rate", "rate", "eigenvector of $G_F$")
