"""Accuracy on clean and on corrupted labels, apart, beside the published.

Reading it: training accuracy against the labels trained on, of the images whose label stayed and
of those whose label changed; `recovered` is the share of the latter that get their true label
back: near the test accuracy before memorising, near 0 after. Test labels are clean unless the
protocol is `code`. Published: Zhang et al. 2017, Table 1, without crop, and for Inception at
ten times the rate.
"""

from pandas import DataFrame

from analysis.over_seeds import over_seeds
from analysis.published import published
from analysis.spectra import networks, of_kind

source = "Brandao et al. 2023, legends; Zhang et al. 2017, Table 1"
requires = ("train/accuracy", "test/accuracy", "train/log_spectrum_mean")
experiment = "brandao2023/label_noise"
BY = ["data", "model", "level"]
SHOWN = {
    "train": "train/accuracy",
    "clean": "train/accuracy_clean",
    "corrupted": "train/accuracy_corrupted",
    "recovered": "train/accuracy_recovered",
    "test": "test/accuracy",
}


def build(runs: DataFrame) -> DataFrame:
    """One row per data set, network and p: means over seeds with 95 % intervals."""
    mine = of_kind(runs, "label noise")
    order = {model: place for place, model in enumerate(networks(mine))}
    table = mine.groupby(BY, as_index=False).agg(runs=("seed", "count"))
    for name, column in SHOWN.items():
        if column in mine:
            ends = {"mean": name, "low": f"{name}_low", "high": f"{name}_high"}
            points = over_seeds(mine, BY, column)
            points[["low", "high"]] = points[["low", "high"]].clip(0, 1)
            points = points[[*BY, *ends]].rename(columns=ends)
            table = table.merge(points, on=BY, how="left")
    for stage in ("train", "test"):
        known = published(f"{stage}/accuracy", "brandao2023")
        values = known.set_index(["data", "model", "level"]).value
        table[f"{stage} published"] = [values.get(tuple(row)) for row in table[BY].to_numpy()]
    table = table.rename(columns={"level": "p"})
    return table.sort_values(["data", "model", "p"], key=lambda column: column.map(order)
                             if column.name == "model" else column, ignore_index=True)  # fmt: skip
