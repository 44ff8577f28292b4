"""Test loss against the intrinsic dimension of the learned representation.

Reading it: the law of representations expects log L to rise with d_repr, with no difference
between domains left but the one in d_repr.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.grid import trained_view
from analysis.panels import panels_by_model

source = "Konz & Mazurowski 2024, Fig. 4"
requires = ("train/d_repr_twonn", "test/loss")
experiment = "konz2024/generalization"


def draw(runs: DataFrame) -> Figure:
    """Log loss against d_repr (TwoNN), one panel per network."""
    figure, _ = panels_by_model(
        trained_view(runs),
        "train/d_repr_twonn",
        ["test/loss"],
        "$d_{repr}$ (TwoNN)",
        ["test loss $L$"],
    )
    return figure
