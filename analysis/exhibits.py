"""Figures and tables, found by the files they are in."""

import importlib
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from matplotlib.figure import Figure
from pandas import DataFrame

Kind = Literal["figures", "tables"]
MAKERS = {"figures": "draw", "tables": "build"}


class NotEnoughError(ValueError):
    """The runs that are there do not suffice for a figure or table; the message says for what."""


@dataclass(frozen=True)
class Exhibit:
    """A figure or table of a paper: what it shows, what it needs and how it is made.

    Each is one module. Its name is the module's, its title the first line of the docstring, how to
    read it the rest; `source` says where it is in the paper, `requires` names the columns without
    which it cannot be made, `experiment` the runs that fill them.
    """

    name: str
    kind: Kind
    title: str
    reading: str
    source: str
    requires: tuple[str, ...]
    experiment: str
    make: Callable[[DataFrame], Figure | DataFrame]

    @property
    def command(self) -> str:
        """What would make the runs it needs."""
        return f"python launch.py -m experiment={self.experiment}"

    def check(self, runs: DataFrame) -> None:
        """Raise NotEnoughError if a required column is not there or empty."""
        lacking = [c for c in self.requires if c not in runs or runs[c].isna().all()]
        if lacking:
            raise NotEnoughError(f"no finished run has {', '.join(lacking)}")


def discover(kind: Kind) -> list[Exhibit]:
    """All exhibits of a kind, in the paper's order.

    >>> [figure.name for figure in discover("figures")][:2]
    ['props', 'gen_ddata']
    """
    folder = Path(__file__).parent / kind
    names = [module.name for module in pkgutil.iter_modules([str(folder)])]
    return sorted((load(kind, name) for name in names), key=_place)


def load(kind: Kind, name: str) -> Exhibit:
    """The exhibit in `analysis/<kind>/<name>.py`."""
    module = importlib.import_module(f"analysis.{kind}.{name}")
    title, _, reading = (module.__doc__ or "").strip().partition("\n")
    return Exhibit(
        name=name,
        kind=kind,
        title=title.removesuffix("."),
        reading=" ".join(reading.split()),
        source=module.source,
        requires=tuple(module.requires),
        experiment=module.experiment,
        make=getattr(module, MAKERS[kind]),
    )


def _place(exhibit: Exhibit) -> tuple[int, str]:
    """By the number of the figure or table; those of our own come last."""
    found = re.search(r"(?:Figs?\.|Tables?) (\d+)", exhibit.source)
    return (int(found[1]) if found else 1000, exhibit.name)
