"""What networks make of some principal components, ours beside the published.

Reading it: accuracy is SimpleConvNet's, CRA at 36/255 AOL-MLP's, both trained with augmentation.
Components that hold 2 % of CIFAR-10's variance suffice for 85 % accuracy but not for certificates:
robustness has to rest on the few components of large variance. `variance share` needs a run on all
components. Published values are CIFAR-10's at 32 px, by the numbers of its components.
"""

from pandas import DataFrame

from analysis.components import component_runs, table_1
from analysis.exhibits import NotEnoughError
from analysis.log_lines import CRA
from analysis.published import published

source = "Prach & Lampert 2025, Table 1"
requires = ("data/variance", "test/accuracy")
experiment = "prach2025/components"
COLUMNS = {
    "variance share": "variance_share",
    **{f"{s}/{q}": f"{s}/{q}" for q in ("accuracy", CRA) for s in ("train", "test")},
}


def build(runs: DataFrame) -> DataFrame:
    """One row per choice of components."""
    mine = component_runs(runs, "components")
    mine = mine[mine.augmented]
    if mine.empty:
        raise NotEnoughError("no run on some principal components had augmentation")
    table = table_1(mine)
    for column, quantity in COLUMNS.items():
        known = published(quantity, "prach2025", item="Table 1").set_index("task").value
        table[f"{column} published"] = table.components.map(known)
    ordered = [c for name in COLUMNS for c in (name, f"{name} published")]
    return table[["components", *ordered, "runs"]].reset_index(drop=True)
