"""Geometries as matrices, eigenvectors and curves."""

import numpy as np
import torch
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.architectures import networks_of, runs_of
from analysis.papers.movahedi2025.bands import finish, seeds_of
from analysis.printing.names import model_name
from analysis.runs.series import arrays
from analysis.runs.settings import setting
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_spectrum import marchenko_pastur_edges


def geometry_matrices(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One column per network."""
    mine = runs_of(runs, "geometry").dropna(subset=["geometry/g_f_participation"])
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
    """One panel per network of a theorem."""
    columns = ["geometry/delta_corr_s", "geometry/delta_corr_gsg"]
    mine = runs_of(runs, "width").dropna(subset=columns)
    mine = mine[mine.model.isin(LAWS)]
    if mine.empty:
        raise NotEnoughError("no run is of a network that the theorems are about")
    mine = mine.assign(width=setting(mine, "model.network.widths").map(lambda widths: widths[0]))
    models = [model for model in LAWS if (mine.model == model).any()]
    figure = Figure(figsize=(3.8 * len(models) + 0.6, 3.6), layout="constrained")
    for axes, model in zip(figure.subplots(1, len(models), squeeze=False)[0], models, strict=True):
        aim, label, theorem = LAWS[model]
        name = f"geometry/delta_corr_{aim}"
        part = mine[mine.model == model].sort_values("width")
        columns = [name, f"{name}_raw", f"{name}_predicted"]
        means = part.groupby("width")[columns].mean().abs()
        error = part.groupby("width")[f"{name}_error"].apply(lambda e: (e**2).sum() ** 0.5 / len(e))
        axes.plot(means.index, means[f"{name}_predicted"], color="tab:gray", label=theorem)
        axes.errorbar(
            means.index, means[name], error, fmt="o", capsize=2, markersize=4, label="measured"
        )
        axes.plot(means.index, means[f"{name}_raw"], "x", color="tab:orange", label="noise left in")
        axes.set_xscale("log", base=2)
        finish(axes, f"{model_name(model)} ({seeds_of(part)})", "width", label)
        axes.legend()
    return figure, mine
