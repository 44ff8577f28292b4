"""Test loss and accuracy against the MLE dimension of the learned representation.

Reading it: the same claim by another estimator of d_repr.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.grid import trained_view
from analysis.panels import panels_by_model

source = "Konz & Mazurowski 2024, Figs. 18, 19"
requires = ("train/d_repr_mle", "test/loss", "test/accuracy")
experiment = "konz2024/generalization"


def draw(runs: DataFrame) -> Figure:
    """Loss above, accuracy below, against d_repr (MLE)."""
    figure, _ = panels_by_model(
        trained_view(runs),
        "train/d_repr_mle",
        ["test/loss", "test/accuracy"],
        "$d_{repr}$ (MLE)",
        ["test loss $L$", "test accuracy"],
    )
    return figure
