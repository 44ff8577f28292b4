"""Dimension of the learned representation against that of the training images (MLE).

Reading it: points below the dashed diagonal have d_repr <= d_data, which the paper's Theorem 5
expects of every trained network. Estimators are biased low, and more so for high dimensions, on
either axis: the table of shares gives the fraction below the diagonal with its interval.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.bound import bound_panels

source = "Konz & Mazurowski 2024, Fig. 5"
requires = ("data/d_mle", "train/d_repr_mle")
experiment = "konz2024/generalization"


def draw(runs: DataFrame) -> Figure:
    """d_repr against d_data (MLE), one panel per network."""
    return bound_panels(runs, "mle", "MLE")
