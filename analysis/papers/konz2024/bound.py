"""Whether the dimension of the representation stays below that of the data."""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.papers.konz2024.panels import panels_by_model
from analysis.statistics.grid import trained_view


def bound_panels(runs: DataFrame, estimator: str) -> tuple[Figure, DataFrame]:
    """d_repr against d_data by one estimator, with the diagonal that bounds it."""
    x, y = f"data/d_{estimator}", f"train/d_repr_{estimator}"
    figure, axes_of, used = panels_by_model(trained_view(runs), x, [y])
    for axes in axes_of.values():
        ends = [
            min(axes.get_xlim()[0], axes.get_ylim()[0]),
            max(axes.get_xlim()[1], axes.get_ylim()[1]),
        ]
        axes.plot(ends, ends, "--", color="grey", linewidth=0.8, zorder=0)
        axes.set(xlim=ends, ylim=ends)
    return figure, used
