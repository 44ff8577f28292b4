"""Courses side by side: the same quantity of many runs against the epoch, one line per run."""

import logging
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray
from pandas import DataFrame

from analysis.drawing.epoch_axis import epoch_axis
from analysis.drawing.panel_grid import panel_grid
from analysis.drawing.rendering import FORMS, pictures
from analysis.drawing.style import style
from analysis.make import mark_standins
from analysis.printing.names import DATA, ordered, plain
from analysis.runs.run_row import CURVES, SETTINGS
from records.curves import NO_CURVES, Curves
from records.quantities import main_names
from records.schema import flat

log = logging.getLogger(__name__)

MOST = 12  # numbers in the legend; of more some are named
MOST_WORDS = 30  # words in the legend
ROOT = "data.root"
LENGTH = 32  # characters of a value in the legend


@dataclass(frozen=True)
class Courses:
    """The picture of the courses as files, and the setting in its colours."""

    pictures: Mapping[str, bytes]
    colour: str


NO_COURSES = Courses({}, "")


def courses_of(
    runs: DataFrame, colour: str | None = None, forms: tuple[str, ...] = FORMS
) -> Courses:
    """`draw_courses` as files of these forms; empty if nothing could be drawn."""
    try:
        with style():
            drawn = draw_courses(runs, colour)
        if drawn is None:
            return NO_COURSES
        return Courses(pictures(drawn[0], "courses", forms), drawn[1])
    except Exception as error:  # one picture's mistake must not cost the report
        log.warning("the courses of the runs were not drawn: %s: %s", type(error).__name__, error)
        return NO_COURSES


def draw_courses(runs: DataFrame, colour: str | None = None) -> tuple[Figure, str] | None:
    """One panel per main quantity, runs as lines coloured by a setting.

    The setting is given by its dotted name, or is the one that differs most. Returns the figure and
    the setting; None where no quantity of two runs has two epochs.
    """
    curves = curves_by_name(runs[CURVES])
    names = shared_quantities(curves)
    if not names:
        return None
    settings = [dict(flat(own)) for own in runs[SETTINGS]]
    drawn = sorted({place for name in names for place in curves[name]})  # not every run has one
    colour = colour or most_varied([settings[place] for place in drawn])
    own_values = [_value(own.get(colour)) for own in settings]
    if colour == ROOT and runs.data.nunique() >= len(set(own_values)):
        # paths are long, and data sets that are in no folder have none
        colour, own_values = "data", [_value(name) for name in runs.data]
    values = sorted(dict.fromkeys(own_values[place] for place in drawn), key=_order)
    shades = dict(zip(values, _shades(values), strict=True))
    figure, grid = panel_grid(len(names), height=2.7)
    for axes, name in zip(grid.flat, names, strict=False):
        lines = list(curves[name].values())
        colours = [shades[own_values[place]] for place in curves[name]]
        # one artist for all lines: as thousands of artists they took longer than the rest
        axes.add_collection(LineCollection(lines, colors=colours, linewidths=1, alpha=0.8))
        axes.autoscale_view()
        axes.set_title(name)
        epoch_axis(axes, int(max(line[-1, 0] for line in lines)))
    most = MOST_WORDS if any(isinstance(value, str) for value in values) else MOST
    places = np.linspace(0, len(values) - 1, min(most, len(values))).round().astype(int)
    handles = [
        Line2D([], [], color=shades[values[i]], label=plain(_shortened(str(values[i]))))
        for i in places
    ]
    title = colour if len(places) == len(values) else f"{colour}: {most} of {len(values)} values"
    figure.legend(handles=handles, title=plain(title), loc="outside lower center", ncols=6)
    mark_standins(figure, ordered(runs[runs.standin].data, DATA), bool(runs.standin.all()))
    return figure, colour


def curves_by_name(curves: Iterable[Curves]) -> dict[str, dict[int, NDArray[np.float64]]]:
    """By quantity and place of the run: its (epoch, value) pairs, from two epochs on.

    Values that are not finite are left out.
    """
    own = [NO_CURVES, *(one.course() for one in curves)]
    place = np.repeat(np.arange(-1, len(own) - 1), [len(one.name) for one in own])
    epoch, value = (np.concatenate([vars(one)[c] for one in own]) for c in ("epoch", "value"))
    code, names = pd.factorize(np.concatenate([one.name for one in own]))
    order = np.lexsort((epoch, place, code))
    order = order[np.isfinite(value[order])]
    if not len(order):
        return {}
    pairs = np.stack([epoch[order].astype(float), value[order]], axis=1)
    starts = np.flatnonzero(np.diff(code[order], prepend=-1) | np.diff(place[order], prepend=-2))
    found: dict[str, dict[int, NDArray[np.float64]]] = {}
    for start, line in zip(starts, np.split(pairs, starts[1:]), strict=True):
        if len(line) > 1:
            name = str(names[code[order[start]]])
            found.setdefault(name, {})[int(place[order[start]])] = line
    return found


def shared_quantities(curves: Mapping[str, Sized]) -> list[str]:
    """The main quantities that at least two runs have at two epochs or more."""
    return main_names([name for name, lines in curves.items() if len(lines) > 1])


def most_varied(settings: Sequence[dict[str, Any]]) -> str:
    """The setting with the most values; the seed only where nothing else differs.

    >>> most_varied([{"seed": 0, "n": 5, "loss": "a"}, {"seed": 1, "n": 9, "loss": "a"}])
    'n'
    """
    names = dict.fromkeys(name for own in settings for name in own if name != "seed")
    counts = {name: len({str(own.get(name)) for own in settings}) for name in names}
    best = max(counts, key=lambda name: counts[name], default="seed")
    return best if counts.get(best, 0) > 1 else "seed"


def _value(value: Any) -> int | float | str:
    """A number as it is, anything else as text: lists are no keys."""
    return value if isinstance(value, int | float) else "not set" if value is None else str(value)


def _shortened(text: str) -> str:
    """The end of a long value: paths and dotted names differ there.

    >>> _shortened("/home/me/images/of/the/second/hospital/2021")
    '...s/of/the/second/hospital/2021'
    """
    return text if len(text) <= LENGTH else "..." + text[3 - LENGTH :]


def _order(value: int | float | str) -> tuple[bool, float, str]:
    """Numbers by size, before words."""
    if isinstance(value, str):
        return (True, 0.0, value)
    return (False, float(value), str(value))


def _shades(values: Sequence[Any]) -> list[Any]:
    """Light to dark for numbers, distinct colours for a few words."""
    if len(values) <= 10 and not all(isinstance(value, int | float) for value in values):
        return [colormaps["tab10"](place) for place in range(len(values))]
    return [colormaps["viridis"](place) for place in np.linspace(0, 0.9, len(values))]
