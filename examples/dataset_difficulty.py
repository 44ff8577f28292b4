"""How hard is a labelled array of images? Intrinsic dimension and label sharpness, no training.

python examples/dataset_difficulty.py            # scikit-learn's handwritten digits
python examples/dataset_difficulty.py mine.npz   # your own: images x (N, ...), labels y (N,)
"""

import sys

import numpy as np
import torch
from sklearn.datasets import load_digits

from metrics.functional import label_sharpness, mle_dimension, neighbours, twonn_dimension


def main(path: str | None = None) -> None:
    """Load, measure, print."""
    if path:
        with np.load(path) as file:
            x, y = torch.tensor(file["x"]), torch.tensor(file["y"])
    else:
        x, y = (torch.tensor(part) for part in load_digits(return_X_y=True))
    x = x.flatten(1).double()
    span = float(x.max() - x.min())

    found = neighbours(x, k=68)  # 3 k + 8, one search serves both estimators
    mle, twonn = mle_dimension(found), twonn_dimension(found)
    sharpness = label_sharpness(x / span, y.long())

    print(f"{len(x)} images of {x.shape[1]} numbers")
    print(f"intrinsic dimension: {mle.dimension:.1f} by MLE, {mle.half:.1f} with half the images")
    print(f"                     (95 % interval {mle.low:.1f} to {mle.high:.1f}, bias excluded)")
    print(f"                     {twonn.dimension:.1f} by TwoNN; {mle.zeros} distances are 0")
    print(f"label sharpness:     {sharpness.rms:.2f} (K_F in RMS units: any pixel range and size)")
    print(f"closest pair of different labels: images {sharpness.pair[0]} and {sharpness.pair[1]}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
