"""Test loss and accuracy against the TwoNN dimension of the training images.

Reading it: the same claim by another estimator. TwoNN looks at two neighbours only, so it is
larger and noisier than the MLE; a trend seen with one and not with the other is not a finding.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.grid import trained_view
from analysis.panels import panels_by_model

source = "Konz & Mazurowski 2024, Figs. 15, 16"
requires = ("data/d_twonn", "test/loss", "test/accuracy")
experiment = "konz2024/generalization"


def draw(runs: DataFrame) -> Figure:
    """Loss above, accuracy below, against d_data (TwoNN)."""
    figure, _ = panels_by_model(
        trained_view(runs),
        "data/d_twonn",
        ["test/loss", "test/accuracy"],
        "$d_{data}$ (TwoNN)",
        ["test loss $L$", "test accuracy"],
    )
    return figure
