"""Randomised smoothing: the published estimate beside what is guaranteed.

Reading it: the estimate takes frequencies for probabilities, and the true class for the answer; the
guarantee holds for each image with probability 1 - alpha (Clopper-Pearson, separate selection).
What lies between them is not certified.
"""

from pandas import DataFrame

source = "Prach & Lampert 2025, Fig. 1 (randomised smoothing)"
requires = ("test/cra_estimate@36",)
experiment = "prach2025/data_scaling"
COLUMNS = {
    "test/accuracy": "accuracy",
    "test/smoothed_accuracy": "smoothed accuracy",
    "test/cra_estimate@36": "estimate at 36/255",
    "test/cra@36": "guaranteed at 36/255",
    "test/smoothed_abstained": "abstained",
}


def build(runs: DataFrame) -> DataFrame:
    """One row per experiment, network, data set and n: means over runs."""
    mine = runs.dropna(subset=["test/cra_estimate@36"])
    grouped = mine.groupby(["experiment", "model", "data", "n"])
    table = grouped[list(COLUMNS)].mean().rename(columns=COLUMNS)
    return table.assign(runs=grouped.size()).reset_index()
