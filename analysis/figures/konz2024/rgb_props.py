"""Intrinsic dimension and label sharpness with every image in three channels.

Reading it: replicating a gray image in three channels leaves d as it is and divides K_F in pixel
units by sqrt(3); sets in colour keep theirs. So K_F is not invariant up to one common constant,
as the paper has it: the gap between its domains shrinks by 1.73 here. RMS units take this out.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.bars import property_bars
from analysis.exhibits import NotEnoughError
from analysis.grid import main_view
from analysis.properties import dataset_properties

source = "Konz & Mazurowski 2024, Figs. 7 and 8, left"
requires = ("data/d_mle", "data/k_f")
experiment = "konz2024/transforms"
COLOUR = {"cifar10", "svhn", "imagenet", "isic"}  # have three channels of their own


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """D and K_F of all sets in three channels."""
    chosen = main_view(runs[runs.channels == 3])
    if set(chosen.data) <= COLOUR:
        raise NotEnoughError("no gray data set was measured in three channels")
    return property_bars(dataset_properties(chosen, by=("size",))), chosen
