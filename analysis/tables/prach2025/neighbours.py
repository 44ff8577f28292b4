"""d* from nearest-neighbour distances, and what 1-NN certifies, ours beside the published.

Reading it: d* of the power law (its spread is over seeds), of the straight line in log n for
comparison, and log10 of the images that a neighbour at L2 distance 1 would take. d_mle and d_twonn
estimate the same dimension from the training images alone. `nn_cra@36` is what the 1-NN classifier
certifies by the triangle inequality, `nn_cra_sharp@36` by bisecting planes.
"""

from pandas import DataFrame

from analysis.published import published

source = "Prach & Lampert 2025, Fig. 12; Sec. 12"
requires = ("data/d_star/l2",)
experiment = "prach2025/neighbours"
COLUMNS = [
    "d_star/l2", "d_star_linear/l2", "log10_n_at_1/l2",
    "nearest_median/l2", "d_star/angular", "nearest_median/angular", "d_mle", "d_twonn",
    "nn_accuracy", "nn_cra@36", "nn_cra_sharp@36",
]  # fmt: skip


def build(runs: DataFrame) -> DataFrame:
    """One row per data set and n: means over seeds."""
    whole = runs.dropna(subset=["data/d_star/l2"])
    one = whole.drop_duplicates(["data", "n", "seed", "size", "standin"])
    there = [f"data/{name}" for name in COLUMNS if f"data/{name}" in one]
    grouped = one.groupby(["data", "size", "n"])
    table = grouped[there].mean().rename(columns=lambda name: name.removeprefix("data/"))
    table = table.assign(seeds=grouped.size()).reset_index()
    for name in ("d_star/l2", "log10_n_at_1/l2"):
        known = published(f"data/{name}", "prach2025").set_index("data").value
        table[f"{name} published"] = table.data.map(known)
    return table
