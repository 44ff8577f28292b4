"""The share of wrong labels when Konz & Mazurowski's code balances a pair of classes.

    python docs/slipped_labels.py $DATA      # a folder with MNIST's four IDX files

Their code subsamples the labels but not the images. Printed for all 45 pairs of digits in the true
order of MNIST's training file; docs/protocols.md reports the numbers.
"""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np

from datamodules.readers.mnist import Mnist
from datamodules.subset import slipped
from datamodules.tasks.pair import Pair

TOTAL = 1750 + 750  # training and test images


def main(root: Path) -> None:
    """Print the mean and the largest share of wrong labels."""
    listing = Mnist(root, part="train", download=False).listing()
    wrong = {}
    for pair in combinations(range(10), 2):
        labels = Pair(classes=pair).labels(listing, seed=0)
        wrong[pair] = float((slipped(labels, TOTAL).y != labels.y[:TOTAL]).mean())
    worst = max(wrong, key=lambda pair: wrong[pair])
    mean = np.mean(list(wrong.values()))
    print(f"{mean:.1%} of labels wrong on average, {wrong[worst]:.1%} of the pair {worst}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
