"""Test accuracy against the intrinsic dimension of the training images.

Reading it: accuracy should fall with d_data within a domain. It is bounded by 1, so easy sets
crowd at the top, where the loss still tells them apart.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.grid import trained_view
from analysis.panels import panels_by_model

source = "Konz & Mazurowski 2024, Fig. 14"
requires = ("data/d_mle", "test/accuracy")
experiment = "konz2024/generalization"


def draw(runs: DataFrame) -> Figure:
    """Accuracy against d_data (MLE), one panel per network."""
    figure, _ = panels_by_model(
        trained_view(runs), "data/d_mle", ["test/accuracy"], "$d_{data}$ (MLE)", ["test accuracy"]
    )
    return figure
