"""Average geometry of random networks: the matrix and its eigenvalues.

Reading it: above, G_F over the pixels of a grey 32 x 32 image, in units of its largest entry: a
diagonal is a network without preference (MLP), bands are pixels that act together. Below, its
eigenvalues with their standard errors over independent batches of networks; dotted, how far those
of a multiple of I would spread by sampling alone (Marchenko and Pastur, with as many independent
gradients as the error of the matrix tells: participation / error^2). What leaves the dotted lines
is the architecture's own.
"""

import numpy as np
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import networks_of, runs_of
from analysis.bands import finish
from analysis.exhibits import NotEnoughError
from analysis.names import model_name
from analysis.series import arrays
from metrics.functional.marchenko_pastur import marchenko_pastur_edges

source = "Movahedi et al. 2025, Fig. 9"
requires = ("geometry/g_f_participation",)
experiment = "movahedi2025/geometry"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One column per network."""
    mine = runs_of(runs, "geometry").dropna(subset=list(requires))
    models = networks_of(mine)
    if not models:
        raise NotEnoughError("no finished run has estimated G_F")
    figure = Figure(figsize=(2.9 * len(models) + 0.8, 5.6), layout="constrained")
    grid = figure.subplots(2, len(models), squeeze=False)
    for column, model in enumerate(models):
        run = mine[mine.model == model].iloc[0]
        above, below = grid[:, column]
        matrix = arrays(run.path, "geometry/g_f")
        if matrix:
            g = matrix[0]
            shown = above.imshow(coarse(g / np.abs(g).max()), cmap="RdBu_r", vmin=-1, vmax=1)
            figure.colorbar(shown, ax=above, shrink=0.7)
        above.set(xticks=[], yticks=[])
        error = run["geometry/g_f_error"]
        above.set_title(f"{model_name(model)}, error {100 * error:.0f} %")
        values = arrays(run.path, "geometry/g_f_eigenvalues")[0]
        errors = arrays(run.path, "geometry/g_f_eigenvalues_error")[0]
        index = np.arange(1, len(values) + 1)
        floor = max(values[0] * 1e-10, np.finfo(float).tiny)
        low = np.maximum(values - errors, floor)
        below.fill_between(index, low, values + errors, alpha=0.3, linewidth=0)
        below.plot(index, np.maximum(values, floor), linewidth=1.2)
        ratio, dimension = run["geometry/g_f_participation"], run.channels * run["size"] ** 2
        for edge in marchenko_pastur_edges(int(dimension), max(1, round(ratio / error**2))):
            if edge > 0:
                level = edge * values.sum() / dimension
                below.axhline(level, color="tab:gray", linestyle=":", linewidth=1)
        below.set(xscale="log", yscale="log")
        label = "eigenvalue" if column == 0 else ""
        finish(below, f"participation {ratio:.0f} of {dimension:.0f}", "index", label)
    return figure, mine


def coarse(matrix: np.ndarray, side: int = 256) -> np.ndarray:
    """The strongest entry of every block: thin diagonals are not lost in a small picture.

    >>> coarse(np.diag([1.0, 2.0, 3.0, -4.0]), side=2)
    array([[ 2.,  0.],
           [ 0., -4.]])
    """
    step = len(matrix) // side
    if step < 2 or len(matrix) % side:
        return matrix
    blocks = matrix.reshape(side, step, side, step).swapaxes(1, 2).reshape(side, side, -1)
    strongest = np.abs(blocks).argmax(2)[..., None]
    return np.take_along_axis(blocks, strongest, 2)[..., 0]
