"""Test loss against the intrinsic dimension of the training images, with ISIC.

Reading it: as the figure without ISIC, whose points (triangles) the paper finds between the two
domains for every network. The dashed law is fitted without ISIC: its distance from the curves is
how well the law carries over to a domain it has not seen.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.figures.konz2024 import gen_ddata
from analysis.grid import need_isic, trained

source = "Konz & Mazurowski 2024, Fig. 10"
requires = gen_ddata.requires
experiment = "konz2024/isic"


def draw(runs: DataFrame) -> Figure:
    """The loss figure with ISIC on it."""
    need_isic(trained(runs))
    return gen_ddata.draw(runs, isic=True)
