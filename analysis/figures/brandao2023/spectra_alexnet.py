"""Full point-Jacobian spectra of the small AlexNet through training.

Reading it: rows are epochs, from the first to overfit; for each level of label noise the left
column is of training images, the right of test images, with one scale a column. The paper finds
train and test alike, the shape hardly changed by noise, and the mean raised by it. A high peak
at small values early means predictions that keep close to those of the training images.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.full_spectra import full_spectra

source = "Brandao et al. 2023, appendix Figs. 6 to 8"
requires = ("train/log_spectrum_mean",)
experiment = "brandao2023/label_noise"


def draw(runs: DataFrame) -> Figure:
    """Rows of epochs, columns of noise and split."""
    return full_spectra(runs, ("small_alexnet",))
