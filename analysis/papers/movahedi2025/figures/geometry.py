"""Geometries as matrices, eigenvectors and curves."""

import numpy as np
import torch
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.experiments import runs_of
from analysis.papers.movahedi2025.panels import panels_of, seeds_of
from analysis.printing.names import model_name, networks_of
from analysis.runs.series import arrays
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe
from analysis.statistics.over_seeds import bars_of, over_seeds
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_spectrum import marchenko_pastur_edges


def geometry_matrices(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One column per network."""
    mine = one_recipe(runs_of(runs, "geometry").dropna(subset=["geometry/g_f_participation"]))
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
        below.set(xscale="log", yscale="log", xlabel="index")
        below.set_title(f"participation {ratio:.0f} of {dimension:.0f}")
    grid[1, 0].set_ylabel("eigenvalue")
    return figure, mine


def coarse(matrix: np.ndarray, side: int = 256) -> np.ndarray:
    """The entry of largest magnitude of every block: keeps thin diagonals in a small picture.

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


def toy_eigenvectors(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Closed form: no run is used; any run of the paper is enough for it to be drawn."""
    patches = torch.tensor([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]], dtype=torch.float64)
    g = Geometry((1, 1, 3), matrix=patches.T @ patches)
    figure = Figure(figsize=(4.6, 4.2), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    for value, vector in zip(g.eigenvalues.tolist(), g.eigenvectors.tolist(), strict=True):
        seen = value > 1e-12
        sign = 1 if max(vector, key=abs) > 0 else -1
        x, y, z = (sign * number for number in vector)
        label = f"{4 * value:.0f} $\\sigma^2/4$: ({x:.2f}, {y:.2f}, {z:.2f})"
        axes.quiver(0, 0, 0, x, y, z, color="tab:blue" if seen else "tab:red", label=label)
    axes.set(xlim=(-1, 1), ylim=(-1, 1), zlim=(-1, 1))
    axes.set_xlabel("pixel 1")
    axes.set_ylabel("pixel 2")
    axes.set_zlabel("pixel 3")
    axes.tick_params(labelsize=7)
    axes.view_init(elev=22, azim=40)
    axes.set_box_aspect(None, zoom=0.85)
    axes.legend(title="eigenvalue, eigenvector", fontsize=7, title_fontsize=7, loc="upper left")
    return figure, runs[:0]


LAWS = {
    "perceptron": ("s", "|Corr($\\Delta_F$, S)|", "Theorem 3.1"),
    "linear_convnet": ("gsg", "|Corr($\\Delta_F$, $G_F S G_F$)|", "Theorem 3.2"),
}


def evolution_width(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network of a theorem and data set."""
    columns = ["geometry/delta_corr_s", "geometry/delta_corr_gsg"]
    mine = runs_of(runs, "width").dropna(subset=columns)
    mine = mine[mine.model.isin(LAWS)]
    if mine.empty:
        raise NotEnoughError("no run is of a network that the theorems are about")
    mine = mine.assign(width=setting(mine, "model.network.widths").map(lambda widths: widths[0]))
    mine = one_recipe(mine, swept=["width"])
    panels = panels_of(mine, ["model", "data"])
    figure = Figure(figsize=(3.8 * len(panels) + 0.6, 3.8), layout="constrained")
    row = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (title, part) in zip(row, panels, strict=True):
        aim, label, theorem = LAWS[part.model.iloc[0]]
        name = f"geometry/delta_corr_{aim}"
        shown = {"measured": name, "raw": f"{name}_raw", "predicted": f"{name}_predicted"}
        points = over_seeds(part, ["width"], shown)
        axes.plot(points.width, points.predicted.abs(), color="tab:gray", label=theorem)
        bars = bars_of(points, "measured")
        axes.errorbar(points.width, points.measured.abs(), bars[::-1], fmt="o", capsize=2,
                      markersize=4, label="measured")  # fmt: skip
        axes.plot(points.width, points.raw.abs(), "x", color="tab:orange", label="noise left in")
        axes.set_xscale("log", base=2)
        axes.set_xticks(points.width, points.width)
        axes.set(title=f"{title}\n{seeds_of(part)}", xlabel="width", ylabel=label)
        axes.legend()
    return figure, mine
