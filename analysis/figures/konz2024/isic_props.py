"""Intrinsic dimension and label sharpness with ISIC as a third domain.

Reading it: as the first figure, with ISIC on the right. The paper finds d of about 12 and K_F of
about 1e-4, between natural and radiological images; RMS units take the factor sqrt(3) of colour
out.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.bars import property_bars
from analysis.grid import main_view, need_isic
from analysis.properties import dataset_properties

source = "Konz & Mazurowski 2024, Fig. 9; App. C.2"
requires = ("data/d_mle", "data/k_f")
experiment = "konz2024/isic"


def draw(runs: DataFrame) -> Figure:
    """Bars of d and K_F, ISIC included."""
    need_isic(runs)
    return property_bars(dataset_properties(main_view(runs, isic=True), by=("size",)))
