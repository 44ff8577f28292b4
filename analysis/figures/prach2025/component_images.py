"""Test images, and what some of their principal components leave of them.

Reading it: the first row is the images, each further row the same images through the components
named beside it. A few components of large variance are enough to see what is there, and too few
to tell it for sure; those of small variance look like noise, and networks read them well.
"""

import numpy as np
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.components import SAME, component_runs
from analysis.exhibits import NotEnoughError
from analysis.series import arrays

source = "Prach & Lampert 2025, Fig. 8"
requires = ("data/variance",)
experiment = "prach2025/components"
IMAGES = "data/examples"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One row of images per choice of components."""
    mine = component_runs(runs, "components")
    mine = mine[[bool(arrays(path, IMAGES)) for path in mine.path]]
    whole = [keep == [[0, d]] for keep, d in zip(mine.keep, mine.total, strict=True)]
    if not any(whole):
        raise NotEnoughError("no run on all components has kept its images")
    first = mine[whole].iloc[0]
    same = mine[(mine[SAME] == first[SAME]).all(axis=1)]
    same = same.drop_duplicates("components")
    rows = {first.components: first.path} | dict(zip(same.components, same.path, strict=True))
    figure = Figure(figsize=(7.5, 0.95 * len(rows) + 0.2), layout="constrained")
    grid = figure.subplots(len(rows), 1, squeeze=False)[:, 0]
    for axes, (name, path) in zip(grid, rows.items(), strict=True):
        images = arrays(path, IMAGES)[0]  # (k, C, H, W)
        low, high = images.min(), images.max()
        if low < 0 or high > 1:  # projections may leave the pixels' range
            images = (images - low) / (high - low)
        strip = np.concatenate(list(np.pad(images, ((0, 0), (0, 0), (0, 0), (0, 1)),
                                           constant_values=1.0)), axis=2)  # fmt: skip
        axes.imshow(np.broadcast_to(strip, (3, *strip.shape[1:])).transpose(1, 2, 0))
        axes.set_ylabel(name.replace(" & ", " &\n"), fontsize=8, rotation=0, ha="right",
                        va="center")  # fmt: skip
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
    return figure, same
