"""Modes of the point-Jacobian spectrum under label noise, MNIST.

Reading it: each triplet is one network after one epoch: its left mode, its right mode, each with
the lognormal law that fits best, and the probability plot of both, straight where a mode is
lognormal. Over it: accuracy and E[log sigma], natural logarithm, of the training images. A left
mode of 1/C of the values is the direction that softmax ignores. First seed of each.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.triplets import triplets

source = "Brandao et al. 2023, appendix Fig. 1"
requires = ("train/log_spectrum_mean",)
experiment = "brandao2023/label_noise_mnist"


def draw(runs: DataFrame) -> Figure:
    """Triplets of every network and level of noise."""
    return triplets(runs, "label noise", mnist=True)
