"""Test accuracy against the direction that labels natural images.

Reading it: labels are a function of x along the i-th eigenvector of G_F S G_F, strongest first, cut
at the median. Accuracy should fall with i, and faster for quadratic and sinusoidal labels; training
accuracy (dotted) near 1 says that the fall is of generalisation. Bands: 95 % intervals over seeds.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.direction_curves import panels_by_network, with_directions

source = "Movahedi et al. 2025, Fig. 4"
requires = ("test/accuracy",)
experiment = "movahedi2025/directions"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """CIFAR-10, one panel per network."""
    mine = with_directions(runs_of(runs, "directions"), "task")
    return panels_by_network(mine, "eigenvector of $G_F S G_F$")
