"""Test accuracy against the direction that labels isotropic data.

Reading it: the data has no direction of its own, so a fall of accuracy with the index of the
eigenvector of G_F is the architecture's. An MLP should be flat, all others fall.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.direction_curves import panels_by_network, with_directions

source = "Movahedi et al. 2025, Fig. 10"
requires = ("test/accuracy",)
experiment = "movahedi2025/isotropic"


def draw(runs: DataFrame) -> Figure:
    """Nearly isotropic Gaussians, one panel per network."""
    mine = with_directions(runs_of(runs, "isotropic", "isotropic_deep"), "data.law")
    return panels_by_network(mine, "eigenvector of $G_F$")
