"""Eigenvectors of the average geometry of the smallest network with pooling.

Reading it: a kernel of two weights slides over three pixels and its answers are averaged; then
G_F = sigma^2 / 4 x [[1, 1, 0], [1, 2, 1], [0, 1, 1]] exactly. The geometry can change along the two
blue directions only; no label along the red one, (1, -1, 1), can be learned from near the
initialisation. (The paper prints sigma^2 / 2; the product it writes down has 1/4.)
"""

import torch
from matplotlib.figure import Figure
from pandas import DataFrame

from metrics.functional.geometry import Geometry

source = "Movahedi et al. 2025, Fig. 15"
requires = ("geometry/g_f_participation",)
experiment = "movahedi2025/geometry"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Closed form: no run is needed but to show that the paper is looked at."""
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
