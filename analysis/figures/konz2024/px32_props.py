"""Intrinsic dimension and label sharpness at 32 x 32 pixels.

Reading it: against the first figure, K_F in pixel units is larger by about 224/32, and less so
for textured images, whose detail is lost. In RMS units what is left is the effect of resizing
itself.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.bars import property_bars
from analysis.exhibits import NotEnoughError
from analysis.grid import main_view
from analysis.properties import dataset_properties

source = "Konz & Mazurowski 2024, Figs. 7 and 8, right"
requires = ("data/d_mle", "data/k_f")
experiment = "konz2024/resolution_properties"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """D and K_F of all sets at 32 px."""
    chosen = main_view(runs[runs["size"] == 32])
    if not set(chosen.data) & set(runs[runs["size"] > 32].data):
        raise NotEnoughError("no data set was measured at 32 px and at a larger size")
    return property_bars(dataset_properties(chosen, by=("size",))), chosen
