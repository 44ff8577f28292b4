"""Test accuracy against the direction that labels isotropic data.

Reading it: the data has no direction of its own, so a fall of accuracy with the index of the
eigenvector of G_F is the architecture's. An MLP should be flat, all others fall.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.direction_curves import panels_by_network, with_directions
from analysis.settings import setting

source = "Movahedi et al. 2025, Fig. 10"
requires = ("test/accuracy",)
experiment = "movahedi2025/isotropic"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Nearly isotropic Gaussians, one panel per network."""
    usual = runs_of(runs, "isotropic", "isotropic_deep")
    # runs of equal settings are one run, so that those of the usual rate may be filed elsewhere
    mine = runs_of(runs, "isotropic", "isotropic_deep", "rates")
    rate = setting(mine, "optimizer.lr")
    rates = set(setting(usual, "optimizer.lr"))
    mine = mine[mine.key.isin(usual.key) | (mine.model.isin(usual.model) & rate.isin(rates))]
    mine = with_directions(mine, "data.law")
    mine = mine.drop_duplicates(["model", "kind", "direction", "seed"])
    return panels_by_network(mine, "eigenvector of $G_F$")
