"""Accuracy and certified robust accuracy for every t of the loss, ours beside the published.

Reading it: one architecture. t = 0 asks for no margin, so accuracy is high and nothing certified;
t = 1/10 asks for one. Intervals are over seeds. Published values are of CIFAR-10, an unknown width.
"""

from pandas import DataFrame

from analysis.log_lines import CRA
from analysis.published import published
from analysis.tradeoff import by_t

source = "Prach & Lampert 2025, Table 3"
requires = ("test/accuracy", f"test/{CRA}")
experiment = "prach2025/tradeoff"


def build(runs: DataFrame) -> DataFrame:
    """One row per network, data set and t."""
    table = by_t(runs)
    for name, quantity in (("accuracy", "test/accuracy"), ("cra", f"test/{CRA}")):
        known = published(quantity, "prach2025", item="Table 3").set_index("level").value
        table[f"{name} published"] = table.t.map(known)
    return table
