"""Intrinsic dimension and label sharpness against image size.

Reading it: the paper calls both invariant up to a constant factor. d should be flat; K_F in pixel
units falls as 1/size, for the same difference is spread over more pixels, and only the RMS units
on the right show whether more is left: images with fine detail rise with size, smooth ones do
not.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.bars import LABELS
from analysis.exhibits import NotEnoughError
from analysis.grid import main_view
from analysis.lines import lines_by_data
from analysis.properties import dataset_properties

source = "Konz & Mazurowski 2024, Fig. 6"
requires = ("data/d_mle", "data/k_f")
experiment = "konz2024/resolution_properties"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """D and K_F of every data set at every size it was measured at."""
    otherwise_equal = ["data", "channels", "task", "images"]
    view = main_view(runs, isic=True)[otherwise_equal].drop_duplicates()
    used = runs.merge(view, on=otherwise_equal)
    table = dataset_properties(used, by=("size",))
    table = table[table.groupby("data")["size"].transform("nunique") > 1]
    if table.empty:
        raise NotEnoughError("no data set was measured at two image sizes")
    return lines_by_data(table, "size", LABELS, "image size (px)"), used
