"""Names beside points, each at the nearest free place when the figure is drawn."""

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation

from analysis.printing.names import colour, data_name

NAME_SIZE = 6.5  # points
GAP = 4  # points between a name and its point
NEVER = 1e6
COVERED = 2.0  # a point under a name counts as much as this many line heights of distance
LEADER = 1.6  # a name further off than this many line heights gets a line to its point


def name_point(axes: Axes, data: str, domain: str, x: float, y: float) -> None:
    """Write a data set's name beside its point."""
    places = next((one for one in axes.artists if isinstance(one, NamePlaces)), None)
    if places is None:
        places = NamePlaces()
        axes.add_artist(places)
    name = axes.annotate(
        data_name(data),
        (x, y),
        xytext=(GAP, 3),
        textcoords="offset points",
        fontsize=NAME_SIZE,
        color=colour(domain, 0.9),
        path_effects=[withStroke(linewidth=1.5, foreground="white")],  # readable over lines
        zorder=1.5,  # behind points
    )
    name.set_in_layout(False)
    places.names.append(name)


class NamePlaces(Artist):
    """Moves the names of its axes off each other and off points.

    It is drawn before them. Only then are the scales and the size of the axes final, on which the
    places depend.
    """

    def __init__(self) -> None:
        super().__init__()
        self.names: list[Annotation] = []
        self.set_zorder(0.5)
        self.set_in_layout(False)

    def draw(self, renderer: RendererBase) -> None:
        """Place the names; draw lines to the points of those that had to go far."""
        axes = self.axes
        assert isinstance(axes, Axes)
        names = self.names
        others = [text for text in axes.texts if text not in names]
        at = np.array([axes.transData.transform(name.xy) for name in names]).reshape(-1, 2)
        points = np.concatenate([at, *(_points(axes, one) for one in axes.collections)])
        taken = [np.array(text.get_window_extent(renderer).extents) for text in others]
        dots = axes.figure.dpi / 72
        for row in np.lexsort((at[:, 0], at[:, 1])):
            extent = names[row].get_window_extent(renderer)
            size = np.array([extent.width, extent.height])
            places = at[row][[0, 1, 0, 1]] + _sides(size, GAP * dots)
            box = _best(at[row], places, points, taken, np.array(axes.bbox.extents))
            taken.append(box)
            names[row].xyann = tuple((box[:2] - at[row]) / dots)
            nearest = np.clip(at[row], box[:2], box[2:])
            if np.hypot(*(nearest - at[row])) > LEADER * size[1]:
                line = Line2D(*np.stack([nearest, at[row]]).T, linewidth=0.4, alpha=0.6)
                line.set(color=names[row].get_color(), figure=axes.figure)
                line.draw(renderer)


def _points(axes: Axes, drawn: object) -> np.ndarray:
    if not isinstance(drawn, PathCollection):
        return np.empty((0, 2))
    return np.asarray(axes.transData.transform(np.asarray(drawn.get_offsets())))


def _sides(size: np.ndarray, gap: float) -> np.ndarray:
    """(M, 4) boxes around a point at 0: right, left, above and below, in steps of a line."""
    width, height = size
    steps = np.arange(-9, 10) * height * 0.75
    corners = [(left, dy - height / 2) for left in (gap, -gap - width) for dy in steps]
    far = (dy + np.sign(dy) * gap for dy in steps if abs(dy) >= height / 2)
    corners += [(-width / 2, dy - height / 2) for dy in far]
    return np.concatenate([np.array(corners), np.array(corners) + size], axis=1)


def _best(
    at: np.ndarray,
    places: np.ndarray,
    points: np.ndarray,
    taken: Sequence[np.ndarray],
    inside: np.ndarray,
) -> np.ndarray:
    """The free place that is near and covers few points; the least bad where none is free."""
    low, high = places[:, :2], places[:, 2:]
    cost = np.hypot(*(np.clip(at, low, high) - at).T) / (places[0, 3] - places[0, 1])
    within = (points[:, None] > low) & (points[:, None] < high)
    cost += COVERED * within.all(2).sum(0)
    for box in taken:
        cost += NEVER * ((low < box[2:]) & (high > box[:2])).all(1)
    cost += NEVER * ((low < inside[:2]) | (high > inside[2:])).any(1)
    return np.asarray(places[cost.round(6).argmin()])
