"""Intrinsic properties of the data sets, ours beside the published.

Reading it: as the first figure. The interval of d is by chance and does not have its bias in it;
`d_mle@5` and so on, d from 5 neighbours instead of 20, show it: where d falls with more neighbours,
it is biased low. `k_f_infinite` counts training sets with equal images of
different labels: their K_F has no value. Published K_F is for 224 px; compare in RMS units at
other sizes.
"""

from pandas import DataFrame

from analysis.bars import by_domain
from analysis.grid import main_view
from analysis.properties import dataset_properties
from analysis.published import published

source = "Konz & Mazurowski 2024, Fig. 1"
requires = ("data/d_mle",)
experiment = "konz2024/generalization"


def build(runs: DataFrame) -> DataFrame:
    """One row per data set, in its main view."""
    table = by_domain(dataset_properties(main_view(runs, isic=True), by=("size", "channels")))
    for quantity in ("d_mle", "k_f", "k_f_rms"):
        known = published(f"data/{quantity}").drop_duplicates("data").set_index("data").value
        table[f"{quantity} published"] = table.data.map(known)
    return table
