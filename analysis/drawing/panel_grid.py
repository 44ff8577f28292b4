"""As many panels as there are things to show, in rows."""

import numpy as np
from matplotlib.figure import Figure

COLUMNS = 4  # side by side


def panel_grid(
    count: int, width: float = 3.3, height: float = 3.1, columns: int = COLUMNS
) -> tuple[Figure, np.ndarray]:
    """A figure with `count` panels of this size in inches, and its axes, (rows, columns).

    Panels that fill the last row are left blank.

    >>> figure, grid = panel_grid(6)
    >>> grid.shape, [axes.axison for axes in grid[-1]]
    ((2, 4), [True, True, False, False])
    """
    columns = min(columns, count)
    rows = -(-count // columns)
    figure = Figure(figsize=(width * columns + 0.4, height * rows + 0.4), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat[count:]:
        axes.set_axis_off()
    return figure, grid
