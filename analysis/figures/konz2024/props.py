"""Intrinsic dimension and label sharpness of every data set.

Reading it: a high dimension means that more images are needed for the same loss; a high K_F that
images of different labels lie close together, so that a network must bend more between them. Bars
are 95 % intervals: of d over training set sizes and class pairs, of K_F at the largest n, over
class pairs, or over draws where there is one pair; in brackets the number of training sets. K_F
in pixel units depends on image size and channels; in RMS units (times sqrt(D), range 1) it does
not, and only there are diamonds, the published values, comparable at any size.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.bars import property_bars
from analysis.grid import main_view
from analysis.properties import dataset_properties

source = "Konz & Mazurowski 2024, Fig. 1"
requires = ("data/d_mle", "data/k_f")
experiment = "konz2024/generalization"


def draw(runs: DataFrame) -> Figure:
    """Bars of d and K_F, the main view of every data set."""
    return property_bars(dataset_properties(main_view(runs), by=("size",)))
