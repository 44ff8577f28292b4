"""Test loss against the intrinsic dimension of the training images.

Reading it: the law expects log L to rise with d_data within a domain, and medical sets (larger
K_F) to lie above natural ones. Each point is a (data set, n), from light (small n) to dark; a row
of points that runs down to the left has both d and loss falling with n, as near-duplicate images
give. Dashed: law B, log L = b - log(n)/d, at the smallest and the largest n.
"""

import numpy as np
import torch
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.grid import cells, need_isic, trained, trained_view
from analysis.laws import fit_law, usable
from analysis.panels import panels_by_model

source = "Konz & Mazurowski 2024, Fig. 2"
requires = ("data/d_mle", "test/loss")
experiment = "konz2024/generalization"


def draw(runs: DataFrame, isic: bool = False) -> tuple[Figure, DataFrame]:
    """Log loss against d_data (MLE), one panel per network, with law B."""
    if isic:
        need_isic(trained(runs))
    view = trained_view(runs, isic)
    figure, axes_of, used = panels_by_model(view, "data/d_mle", ["test/loss"])
    points = usable(cells(trained_view(runs), list(requires)), requires)
    for (_, model), axes in axes_of.items():
        mine = points[points.model == model]
        if len(mine) < 2:
            continue
        fit = fit_law(mine, "data/d_mle")
        span = np.linspace(mine["data/d_mle"].min(), mine["data/d_mle"].max(), 50)
        for n in sorted({mine.n.min(), mine.n.max()}):
            law = fit.predict(torch.full((50,), float(n)), torch.tensor(span)).exp()
            axes.plot(span, law, "--", color="grey", linewidth=0.8, zorder=0)
    return figure, used
