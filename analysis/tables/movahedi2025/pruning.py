"""Test accuracy after pruning by score or at random, all shares.

Reading it: per cent of CIFAR-10's test images; `gain` is score less random. Score pruning removes
the images of smallest x^T G_F x / |x|^2. The published numbers are means of 5 runs, but the
published code scores a shuffled loader, which prunes at random under another name.
"""

from pandas import DataFrame

from analysis.pruning import pruning_table

source = "Movahedi et al. 2025, Table 2"
requires = ("test/accuracy",)
experiment = "movahedi2025/pruning"


def build(runs: DataFrame) -> DataFrame:
    """All shares."""
    return pruning_table(runs)
