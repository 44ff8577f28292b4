"""How figures look: one set of matplotlib parameters, active while a figure is made and saved."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl

STYLE: dict[Any, Any] = {
    "axes.titlesize": 10,
    "axes.titley": 1.0,  # no search for a free height at every draw: no axes have ticks above
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.title_fontsize": 8,
    "legend.frameon": False,
    "axes.grid": True,
    "grid.alpha": 0.2,
    "grid.linewidth": 0.5,
    "pdf.fonttype": 42,  # TrueType: text stays text, and journals accept it
}


@contextmanager
def style(name: str = "") -> Iterator[None]:
    """The parameters, as a context.

    Ticks are made when a figure is saved, so it must be saved in the context too. `name` salts the
    ids in SVG files, so that equal figures are equal bytes.
    """
    with mpl.rc_context({**STYLE, "svg.hashsalt": name or None}):
        yield
