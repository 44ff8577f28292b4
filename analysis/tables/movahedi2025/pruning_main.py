"""Test accuracy after pruning by score or at random, the paper's four shares.

Reading it: as the table of all shares, for 30, 50, 70 and 90 per cent removed.
"""

from pandas import DataFrame

from analysis.pruning import pruning_table

source = "Movahedi et al. 2025, Table 1; all shares: Table 2"
requires = ("test/accuracy",)
experiment = "movahedi2025/pruning"


def build(runs: DataFrame) -> DataFrame:
    """Four shares."""
    return pruning_table(runs, (0.3, 0.5, 0.7, 0.9))
