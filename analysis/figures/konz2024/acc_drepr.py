"""Test accuracy against the intrinsic dimension of the learned representation.

Reading it: accuracy should fall as d_repr grows.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.grid import trained_view
from analysis.panels import panels_by_model

source = "Konz & Mazurowski 2024, Fig. 17"
requires = ("train/d_repr_twonn", "test/accuracy")
experiment = "konz2024/generalization"


def draw(runs: DataFrame) -> Figure:
    """Accuracy against d_repr (TwoNN), one panel per network."""
    figure, _ = panels_by_model(
        trained_view(runs),
        "train/d_repr_twonn",
        ["test/accuracy"],
        "$d_{repr}$ (TwoNN)",
        ["test accuracy"],
    )
    return figure
